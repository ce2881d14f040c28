/// <reference path="../../../src/console/page-files.d.ts" />
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { script, style } from '../../../src/console/ui/main.tsx?page-files'

describe('the files of the page of the console', () => {
  it('have at most 60 kB', () => {
    const sizes = [script, style].map(({ gzip }) => Buffer.from(gzip, 'base64').length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60_000)
  })

  it.each([
    ['script', script],
    ['style', style],
  ])('are named by their content: %s', (_, { hash, gzip }) => {
    const content = gunzipSync(Buffer.from(gzip, 'base64'))
    expect(hash).toBe(createHash('sha256').update(content).digest('hex').slice(0, 16))
  })

  it('load nothing, and evaluate nothing', () => {
    const [code, rules] = [script, style].map(({ gzip }) => gunzipSync(Buffer.from(gzip, 'base64')).toString())
    expect(code).not.toMatch(/\beval\(|new Function|document\.write|\bimport\(/)
    expect(rules).not.toMatch(/@import|url\(/)
  })
})
