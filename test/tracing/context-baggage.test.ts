import { describe, expect, it } from 'vitest'
import { rootContext } from '../../src/tracing/context/context.ts'
import { Baggage, baggageKey, baggageOf } from '../../src/tracing/context/context-baggage.ts'

describe("a baggage of OpenTelemetry's API", () => {
  const baggage = new Baggage('tenant=a;ttl=5,user=7')

  it('has entries with their properties as metadata', () => {
    expect(baggage.getEntry('user')).toStrictEqual({ value: '7' })
    expect(baggage.getEntry('other')).toBeUndefined()
    const entry = baggage.getEntry('tenant')
    expect([entry?.value, entry?.metadata?.toString()]).toEqual(['a', 'ttl=5'])
    expect(baggage.getAllEntries().map(([key, { value }]) => [key, value])).toEqual([
      ['tenant', 'a'],
      ['user', '7'],
    ])
  })

  it('is copied where an entry is set, which replaces others of its key', () => {
    const metadata = { toString: () => 'ttl=6' }
    expect(baggage.setEntry('tenant', { value: 'b' }).field).toBe('tenant=b,user=7')
    expect(baggage.setEntry('plan', { value: 'x', metadata }).field).toBe('plan=x;ttl=6,tenant=a;ttl=5,user=7')
    expect(baggage.setEntry('plan', { value: 'x', metadata: { toString: () => '' } }).members[0]).toStrictEqual({
      key: 'plan',
      value: 'x',
    })
    expect(baggage.field).toBe('tenant=a;ttl=5,user=7')
  })

  it('is copied where entries are removed', () => {
    expect(baggage.removeEntry('tenant').field).toBe('user=7')
    expect(baggage.removeEntries('tenant', 'user', 'other').field).toBe('')
    expect(baggage.clear().members).toEqual([])
    expect(baggage.with({ tenant: undefined, plan: 'x' }).field).toBe('plan=x,user=7')
  })
})

describe('the baggage of a context', () => {
  const ofContext = (value: unknown) => baggageOf(rootContext.setValue(baggageKey, value))

  it('is absent without one', () => {
    expect(baggageOf(undefined)).toBeUndefined()
    expect(baggageOf(rootContext)).toBeUndefined()
  })

  it("is read from another copy's, without what cannot be propagated", () => {
    const entries = [
      ['tenant', { value: 'a', metadata: { toString: () => 'ttl=5' } }],
      ['a key', { value: 'x' }],
      ['user', { value: 7 }],
    ]
    expect(ofContext({ getAllEntries: () => entries })?.field).toBe('tenant=a;ttl=5,user=7')
  })

  it('is absent where it is none', () => {
    expect(ofContext({})).toBeUndefined()
  })
})
