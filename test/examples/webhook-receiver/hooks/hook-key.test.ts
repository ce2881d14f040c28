import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createHookKey, hashHookKey, isHookKey } from '../../../../examples/webhook-receiver/hooks/hook-key.ts'

describe('createHookKey', () => {
  const keys = Array.from({ length: 10_000 }, createHookKey)

  it('returns 26 characters that need no quoting', () => {
    expect(keys.filter((key) => !/^[a-z2-8]{26}$/.test(key))).toEqual([])
    expect(keys.every(isHookKey)).toBe(true)
  })

  it('returns no key twice', () => {
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('uses 32 characters equally often', () => {
    const counts = new Map<string, number>()
    for (const character of keys.join('')) counts.set(character, (counts.get(character) ?? 0) + 1)
    const expected = (keys.length * 26) / 32
    expect(counts.size).toBe(32)
    // Seven standard deviations: a fair generator fails this once in a hundred billion runs.
    const off = [...counts.values()].filter((count) => Math.abs(count - expected) > 7 * Math.sqrt(expected))
    expect(off).toEqual([])
  })
})

describe('isHookKey', () => {
  it.each([
    '',
    'a',
    'a'.repeat(25),
    'a'.repeat(27),
    'A'.repeat(26),
    '1'.repeat(26),
    `${'a'.repeat(26)}\n`,
    'é'.repeat(26),
  ])('rejects %j', (text) => {
    expect(isHookKey(text)).toBe(false)
  })
})

describe('hashHookKey', () => {
  it('is the SHA-256 in hexadecimal', () => {
    expect(hashHookKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    const key = createHookKey()
    expect(hashHookKey(key)).toBe(createHash('sha256').update(key).digest('hex'))
  })
})
