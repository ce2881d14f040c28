import fc from 'fast-check'
import type { Tolerance } from 'upkeep/health'
import { describe, expect, it } from 'vitest'
import { createFailureTolerance } from '../../src/health/checks/failure-tolerance.ts'
import { createManualClock } from '../support/manual-clock.ts'

const up = { status: 'UP', details: { version: 16 } }
const down = { status: 'DOWN', details: { error: 'Error: no' } }
const since = '1970-01-01T00:00:00.000Z'

function tolerate(tolerance: Tolerance | undefined) {
  const clock = createManualClock()
  return { clock, apply: createFailureTolerance(tolerance, clock, 'tolerate') }
}

describe('createFailureTolerance', () => {
  it('returns every result unchanged without a tolerance', () => {
    const { apply } = tolerate(undefined)
    expect([apply(up), apply(down)]).toEqual([up, down])
  })

  it('tolerates a number of consecutive failures and describes them; the next one is DOWN', () => {
    const { clock, apply } = tolerate({ failures: 2 })
    apply(up)
    const first = { status: 'UP', details: { error: 'Error: no', tolerated: { status: 'DOWN', failures: 1, since } } }
    expect(apply(down)).toEqual(first)
    clock.advance(5_000)
    expect(apply(down)).toEqual({
      status: 'UP',
      details: { error: 'Error: no', tolerated: { status: 'DOWN', failures: 2, since } },
    })
    expect([apply(down), apply(down)]).toEqual([down, down])
  })

  it('starts counting again after a success', () => {
    const { clock, apply } = tolerate({ failures: 1 })
    apply(up)
    apply(down)
    expect(apply(up)).toEqual(up)
    clock.advance(1_000)
    expect(apply(down)).toMatchObject({
      status: 'UP',
      details: { tolerated: { failures: 1, since: '1970-01-01T00:00:01.000Z' } },
    })
    expect(apply(down)).toEqual(down)
  })

  it('tolerates any number of failures for a duration', () => {
    const { clock, apply } = tolerate({ for: '30s' })
    apply(up)
    apply(down)
    clock.advance(29_999)
    for (let times = 0; times < 100; times++) expect(apply(down).status).toBe('UP')
    clock.advance(1)
    expect(apply(down)).toEqual(down)
  })

  it.each([
    [{ failures: 2, for: '30s' }, [1_000, 1_000, 1_000], ['UP', 'UP', 'DOWN']],
    [{ failures: 9, for: '30s' }, [1_000, 20_000, 20_000], ['UP', 'UP', 'DOWN']],
  ] as const)('applies the lower of two limits: %j', (tolerance, pauses, statuses) => {
    const { clock, apply } = tolerate(tolerance)
    apply(up)
    const applied = pauses.map((pause) => {
      clock.advance(pause)
      return apply(down).status
    })
    expect(applied).toEqual(statuses)
  })

  it('does not tolerate failures of a component that has always been DOWN', () => {
    const { apply } = tolerate({ failures: 3 })
    expect(apply(down)).toEqual(down)
    expect(apply(up)).toEqual(up)
    expect(apply(down).status).toBe('UP')
  })

  it('returns the last status other than DOWN, and tolerates only DOWN', () => {
    const { apply } = tolerate({ failures: 3 })
    expect(apply({ status: 'OUT_OF_SERVICE' })).toEqual({ status: 'OUT_OF_SERVICE' })
    expect(apply(down).status).toBe('OUT_OF_SERVICE')
    expect(apply({ status: 'DEGRADED', description: 'one of two' }).status).toBe('DEGRADED')
    expect(apply({ status: 'Down' })).toMatchObject({
      status: 'DEGRADED',
      description: 'one of two',
      details: { tolerated: { status: 'Down' } },
    })
  })

  it('never tolerates more failures than configured', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.boolean(), { maxLength: 60 }), (failures, successes) => {
        const { apply } = tolerate({ failures })
        let run = 0
        let wasUp = false
        for (const isUp of successes) {
          run = isUp ? 0 : run + 1
          wasUp ||= isUp
          const hides = !isUp && wasUp && run <= failures
          expect(apply(isUp ? up : down).status).toBe(isUp || hides ? 'UP' : 'DOWN')
        }
      }),
    )
  })

  const failures = 'tolerate.failures: expected a whole number of 1 or more, or "for" with a duration, received '
  it.each([
    [{}, `${failures}undefined`],
    [{ failures: 0 }, `${failures}0`],
    [{ failures: 1.5 }, `${failures}1.5`],
    [{ failures: '3' }, `${failures}"3"`],
    [{ for: '30' }, 'tolerate.for: expected a duration such as "5s", received "30"'],
  ])('rejects %j', (tolerance, message) => {
    expect(() => tolerate(tolerance as Tolerance)).toThrow(new RangeError(message))
  })
})
