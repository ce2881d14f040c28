import fc from 'fast-check'
import type { Tolerance } from 'upkeep/health'
import { describe, expect, it } from 'vitest'
import { createDamping } from '../../src/health/checks/damping.ts'
import { createManualClock } from '../support/manual-clock.ts'

const up = { status: 'UP', details: { version: 16 } }
const down = { status: 'DOWN', details: { error: 'Error: no' } }
const since = '1970-01-01T00:00:00.000Z'

function damp(tolerance: Tolerance | undefined) {
  const clock = createManualClock()
  return { clock, judge: createDamping(tolerance, clock, 'db') }
}

describe('createDamping', () => {
  it('lets everything count where nothing is tolerated', () => {
    const { judge } = damp(undefined)
    expect([judge(up), judge(down)]).toEqual([up, down])
  })

  it('tolerates so many failures in a row, and tells of them; the next one counts', () => {
    const { clock, judge } = damp({ failures: 2 })
    judge(up)
    const first = { status: 'UP', details: { error: 'Error: no', tolerated: { status: 'DOWN', failures: 1, since } } }
    expect(judge(down)).toEqual(first)
    clock.advance(5_000)
    expect(judge(down)).toEqual({
      status: 'UP',
      details: { error: 'Error: no', tolerated: { status: 'DOWN', failures: 2, since } },
    })
    expect([judge(down), judge(down)]).toEqual([down, down])
  })

  it('begins anew after a success', () => {
    const { clock, judge } = damp({ failures: 1 })
    judge(up)
    judge(down)
    expect(judge(up)).toEqual(up)
    clock.advance(1_000)
    expect(judge(down)).toMatchObject({
      status: 'UP',
      details: { tolerated: { failures: 1, since: '1970-01-01T00:00:01.000Z' } },
    })
    expect(judge(down)).toEqual(down)
  })

  it('tolerates failures for a time, however many', () => {
    const { clock, judge } = damp({ for: '30s' })
    judge(up)
    judge(down)
    clock.advance(29_999)
    for (let times = 0; times < 100; times++) expect(judge(down).status).toBe('UP')
    clock.advance(1)
    expect(judge(down)).toEqual(down)
  })

  it.each([
    [{ failures: 2, for: '30s' }, [1_000, 1_000, 1_000], ['UP', 'UP', 'DOWN']],
    [{ failures: 9, for: '30s' }, [1_000, 20_000, 20_000], ['UP', 'UP', 'DOWN']],
  ] as const)('tolerates until the first limit of both is reached: %j', (tolerance, pauses, statuses) => {
    const { clock, judge } = damp(tolerance)
    judge(up)
    const judged = pauses.map((pause) => {
      clock.advance(pause)
      return judge(down).status
    })
    expect(judged).toEqual(statuses)
  })

  it('tolerates nothing of a component that was never otherwise', () => {
    const { judge } = damp({ failures: 3 })
    expect(judge(down)).toEqual(down)
    expect(judge(up)).toEqual(up)
    expect(judge(down).status).toBe('UP')
  })

  it('leaves the component what it was, and damps nothing but what is down', () => {
    const { judge } = damp({ failures: 3 })
    expect(judge({ status: 'OUT_OF_SERVICE' })).toEqual({ status: 'OUT_OF_SERVICE' })
    expect(judge(down).status).toBe('OUT_OF_SERVICE')
    expect(judge({ status: 'DEGRADED', description: 'one of two' }).status).toBe('DEGRADED')
    expect(judge({ status: 'Down' })).toMatchObject({
      status: 'DEGRADED',
      description: 'one of two',
      details: { tolerated: { status: 'Down' } },
    })
  })

  it('never hides a failure for longer than it says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.boolean(), { maxLength: 60 }), (failures, successes) => {
        const { judge } = damp({ failures })
        let run = 0
        let wasUp = false
        for (const isUp of successes) {
          run = isUp ? 0 : run + 1
          wasUp ||= isUp
          const hides = !isUp && wasUp && run <= failures
          expect(judge(isUp ? up : down).status).toBe(isUp || hides ? 'UP' : 'DOWN')
        }
      }),
    )
  })

  const must =
    "The health indicator db must tolerate a whole number of failures of 1 or more, { failures: 3 }, or failures for a time, { for: '30s' }, not "
  it.each([
    [{}, `${must}undefined`],
    [{ failures: 0 }, `${must}0`],
    [{ failures: 1.5 }, `${must}1.5`],
    [{ failures: '3' }, `${must}"3"`],
    [
      { for: '30' },
      `The time for which the health indicator db tolerates failures must be a duration such as '500ms', '5s' or '1m', not "30"`,
    ],
  ])('refuses %j', (tolerance, message) => {
    expect(() => damp(tolerance as Tolerance)).toThrow(new RangeError(message))
  })
})
