import { describe, expect, it } from 'vitest'
import { isLoopbackAddress, isLoopbackHost } from '../../../src/http/conventions/loopback.ts'

describe('isLoopbackHost', () => {
  it.each([
    ['localhost', true],
    ['LocalHost:9090', true],
    ['localhost.:9090', true],
    ['orders.localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.10:80', true],
    ['[::1]:9090', true],
    ['[::1]', true],
    ['127.10.200.254', true],
    ['127.0.0.[1]', false],
    [':[:1]', false],
    ['[::1]x', false],
    ['evil.example:9090', false],
    ['localhost.evil.example', false],
    ['evillocalhost', false],
    ['127.0.0.1.evil.example', false],
    ['127.0.0.1@evil.example', false],
    ['128.0.0.1', false],
    ['0.0.0.0', false],
    ['[::2]', false],
    ['-.localhost/', false],
    ['', false],
  ])('of %j is %j', (host, expected) => {
    expect(isLoopbackHost(host)).toBe(expected)
  })

  it('is true for addresses that only this machine can connect to', () => {
    expect(
      ['127.0.0.1', '127.1.2.3', '127.255.255.254', '::1', '::ffff:127.0.0.1'].map(isLoopbackAddress),
    ).not.toContain(false)
    expect(['0.0.0.0', '::', '10.0.0.1', '::ffff:10.0.0.1', '1.127.0.0.1'].map(isLoopbackAddress)).not.toContain(true)
  })
})
