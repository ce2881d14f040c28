import { describe, expect, it } from 'vitest'
import { isCrossSite } from '../../../src/http/conventions/cross-site.ts'

describe('isCrossSite', () => {
  const host = 'orders.example:9090'
  it.each([
    [{}, false],
    [{ origin: `http://${host}` }, false],
    [{ origin: `https://${host.toUpperCase()}` }, false],
    [{ origin: 'http://orders.example' }, true],
    [{ origin: 'http://evil.example' }, true],
    [{ origin: 'null' }, true],
    [{ origin: '' }, true],
    [{ origin: `ftp://${host}` }, true],
    [{ origin: [`http://${host}`, 'http://evil.example'] }, true],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: `http://${host}` }, true],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://orders.example' }, true],
    // An image, a script, or a request of mode no-cors; and a link.
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' }, true],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }, true],
    [{ 'sec-fetch-site': 'same-site' }, true],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'document' }, false],
    [{ 'sec-fetch-site': 'none', origin: 'null' }, false],
    // A reverse proxy uses another name for this host.
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://proxy.example' }, false],
  ])('of %j is %j', (headers, expected) => {
    expect(isCrossSite({ host, ...headers })).toBe(expected)
  })

  it('compares with :authority without Host, and is false without either', () => {
    expect(isCrossSite({ ':authority': 'orders.example', origin: 'https://orders.example' })).toBe(false)
    expect(isCrossSite({ ':authority': 'orders.example', origin: 'https://evil.example' })).toBe(true)
    expect(isCrossSite({ origin: 'https://orders.example' })).toBe(true)
  })
})
