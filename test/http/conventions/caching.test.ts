import { describe, expect, it } from 'vitest'
import { cachingHeaders } from '../../../src/http/conventions/caching.ts'

const now = Date.UTC(1994, 10, 6, 8, 49, 37)

describe('cachingHeaders', () => {
  it.each([
    ['no-store', { 'Cache-Control': 'no-store', Pragma: 'no-cache', Expires: '0' }],
    ['no-cache', { 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '0' }],
    [{ maxAgeSeconds: 60 }, { 'Cache-Control': 'max-age=60', Expires: 'Sun, 06 Nov 1994 08:50:37 GMT' }],
    [{ maxAgeSeconds: 0 }, { 'Cache-Control': 'max-age=0', Expires: 'Sun, 06 Nov 1994 08:49:37 GMT' }],
  ] as const)('of %j are %j', (caching, headers) => {
    expect(cachingHeaders(caching, now)).toEqual(headers)
  })

  it.each([
    ['no-store', 'no-store'],
    ['no-cache', 'no-cache, private'],
    [{ maxAgeSeconds: 60 }, 'max-age=60, private'],
  ] as const)('of %j for one caller are private', (caching, cacheControl) => {
    expect(cachingHeaders(caching, now, true)['Cache-Control']).toBe(cacheControl)
  })
})
