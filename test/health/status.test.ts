import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregateStatus, defaultOrder, statusKey } from '../../src/health/status.ts'

describe('statusKey', () => {
  it.each([
    ['OUT_OF_SERVICE', 'outofservice'],
    ['out-of-service', 'outofservice'],
    ['Out Of Service', 'outofservice'],
    ['outOfService', 'outofservice'],
    ['UP!', 'up'],
    ['GR\u00dcN_2', 'gr\u00fcn2'],
  ])('of %s is %s', (status, key) => {
    expect(statusKey(status)).toBe(key)
  })
})

describe('aggregateStatus', () => {
  it.each([
    [[], 'UP'],
    [['UP'], 'UP'],
    [['UP', 'UNKNOWN'], 'UP'],
    [['UNKNOWN', 'UNKNOWN'], 'UNKNOWN'],
    [['UP', 'OUT_OF_SERVICE', 'UNKNOWN'], 'OUT_OF_SERVICE'],
    [['UP', 'OUT_OF_SERVICE', 'DOWN'], 'DOWN'],
    [['out-of-service', 'up'], 'OUT_OF_SERVICE'],
    [['DEGRADED'], 'UNKNOWN'],
    [['DEGRADED', 'UP'], 'UP'],
    [['constructor'], 'UNKNOWN'],
  ])('of %j is %s', (statuses, status) => {
    expect(aggregateStatus(statuses)).toBe(status)
  })

  it.each([
    [['UP', 'DEGRADED'], 'DEGRADED'],
    [['DOWN', 'DEGRADED'], 'DOWN'],
    [['degraded'], 'DEGRADED'],
    [['UNKNOWN'], 'UNKNOWN'],
    [['OUT_OF_SERVICE'], 'UNKNOWN'],
  ])('of %j with a custom order is %s', (statuses, status) => {
    expect(aggregateStatus(statuses, ['DOWN', 'DEGRADED', 'UP'])).toBe(status)
  })

  it('does not depend on the order or number of the statuses', () => {
    const statuses = fc.array(fc.constantFrom(...defaultOrder, 'DEGRADED'), { minLength: 1 })
    fc.assert(
      fc.property(statuses, (some) => {
        const first = defaultOrder.find((status) => some.includes(status)) ?? 'UNKNOWN'
        expect([some, [...some].reverse(), [...some, ...some]].map((each) => aggregateStatus(each))).toEqual([
          first,
          first,
          first,
        ])
      }),
    )
  })
})
