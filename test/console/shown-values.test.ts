import { describe, expect, it } from 'vitest'
import { showText, showValues } from '../../src/console/shown-values.ts'

describe('showText', () => {
  it('masks a credential that is cut off', () => {
    expect(showText(`${'x'.repeat(90)} postgres://app:secret@db`, 105)).not.toContain('secret')
  })

  it('limits the length', () => {
    expect(showText('x'.repeat(101), 100)).toBe(`${'x'.repeat(100)}…`)
    expect(showText('x'.repeat(100), 100)).toBe('x'.repeat(100))
  })
})

describe('showValues', () => {
  const shown = (values: Readonly<Record<string, unknown>>) => showValues(values, 1_000)

  it('masks what has the name of a secret, in any depth', () => {
    expect(
      shown({ password: 'a', Authorization: 'b', nested: [{ apiKey: ['c'], clientSecret: { d: 'd' } }], pin: 1 }),
    ).toEqual({ password: '***', Authorization: '***', nested: [{ apiKey: '***', clientSecret: '***' }], pin: 1 })
  })

  it('shows whether there is a secret', () => {
    expect(shown({ hasPassword: true, token: null })).toEqual({ hasPassword: true, token: null })
  })

  it('masks credentials in text and in names', () => {
    expect(shown({ url: 'redis://:open@cache', 'redis://:open@cache': 1 })).toEqual({
      url: 'redis://***@cache',
      'redis://***@cache': 1,
    })
  })

  it('represents values that JSON does not have', () => {
    const values = { at: new Date(0), none: new Date(Number.NaN), count: 5n, absent: undefined, call: Symbol('x') }
    expect(shown(values)).toEqual({ at: '1970-01-01T00:00:00.000Z', none: null, count: '5', call: 'Symbol(x)' })
  })

  it('shows 256 members, and says how many more there are', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`n${at}`, at]))
    expect(Object.keys(shown(many))).toHaveLength(257)
    expect(shown(many)).toHaveProperty('…', '44 more')
    expect(shown({ items: Array.from({ length: 1_000 }, () => 'x') })['items']).toHaveLength(256)
  })

  it('ends at a cycle', () => {
    const value: Record<string, unknown> = {}
    value['self'] = value
    expect(JSON.stringify(shown(value))).toBe('{"self":{"self":{"self":{"self":{"self":{"self":"…"}}}}}}')
  })
})
