import type { OrderedUuidOptions } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'
import { MonotonicTime } from '../../src/ids/uuid/monotonic-time.ts'
import { fixedClock } from '../support/fixed-clock.ts'

const field = { lastMillisecond: 1_000_000, highestCount: 3, firstCount: () => 1 }

function timeAt(milliseconds: number, options: OrderedUuidOptions = {}) {
  const clock = fixedClock(milliseconds)
  const time = new MonotonicTime({ clock, ...options }, field)
  const advance = () => {
    time.advance()
    return `${time.millisecond}/${time.count}`
  }
  return { clock, time, advance }
}

describe('while the clock runs', () => {
  it('counts within a millisecond from the first count on', () => {
    const { advance, clock } = timeAt(100)
    expect([advance(), advance()]).toStrictEqual(['100/1', '100/2'])
    clock.set(101)
    expect(advance()).toStrictEqual('101/1')
  })

  it('uses whole milliseconds of a clock with a fraction', () => {
    const { advance, clock } = timeAt(100.2)
    expect(advance()).toStrictEqual('100/1')
    clock.set(100.9)
    expect(advance()).toStrictEqual('100/2')
    clock.set(101.1)
    expect(advance()).toStrictEqual('101/1')
  })

  it('moves ahead of the clock when the count is exhausted, until the clock catches up', () => {
    const { advance, clock } = timeAt(100)
    const all = [advance(), advance(), advance(), advance(), advance()]
    expect(all).toStrictEqual(['100/1', '100/2', '100/3', '101/1', '101/2'])
    clock.set(101)
    expect([advance(), advance()]).toStrictEqual(['101/3', '102/1'])
    clock.set(103)
    expect(advance()).toStrictEqual('103/1')
  })
})

describe('when the clock steps back', () => {
  it('stays and counts, up to and with the tolerated step', () => {
    const { advance, clock, time } = timeAt(20_000)
    advance()
    clock.set(10_000)
    expect([advance(), advance(), advance()]).toStrictEqual(['20000/2', '20000/3', '20001/1'])
    expect(time.restarts).toBe(0)
  })

  it('restarts with the clock beyond the tolerated step back', () => {
    const { advance, clock, time } = timeAt(20_000)
    advance()
    clock.set(9_999)
    expect([advance(), advance()]).toStrictEqual(['9999/1', '9999/2'])
    expect(time.restarts).toBe(1)
  })

  it('throws beyond it on request, and continues in order when the clock has caught up', () => {
    const { advance, clock } = timeAt(20_000, { toleratedStepBack: '2s', beyondStepBack: 'throw' })
    advance()
    clock.set(17_999)
    expect(advance).toThrow(new RangeError('the clock is 2001 ms behind the latest UUID, more than toleratedStepBack'))
    expect(advance).toThrow(RangeError)
    clock.set(18_000)
    expect(advance()).toStrictEqual('20000/2')
    clock.set(20_001)
    expect(advance()).toStrictEqual('20001/1')
  })

  it('tolerates no step at all on request', () => {
    const { advance, clock } = timeAt(20_000, { toleratedStepBack: '0ms', beyondStepBack: 'throw' })
    expect([advance(), advance()]).toStrictEqual(['20000/1', '20000/2'])
    clock.set(19_999)
    expect(advance).toThrow(RangeError)
  })
})

describe('at the ends of the field', () => {
  it('uses the last millisecond completely, and then throws', () => {
    const { advance } = timeAt(1_000_000)
    expect([advance(), advance(), advance()]).toStrictEqual(['1000000/1', '1000000/2', '1000000/3'])
    expect(advance).toThrow(new RangeError('no UUID is left in the last millisecond, 1000000'))
    expect(advance).toThrow(RangeError)
  })

  it.each([-1, -0.1, 1_000_001, Number.NaN, Number.POSITIVE_INFINITY])('rejects a clock that returns %d', (reading) => {
    const { advance } = timeAt(reading)
    expect(advance).toThrow(new RangeError(`clock: expected a time from 0 to 1000000 ms, received ${reading}`))
  })

  it('accepts a clock that returns 0', () => {
    expect(timeAt(0).advance()).toStrictEqual('0/1')
  })

  it('rejects a tolerance that is not a duration', () => {
    // @ts-expect-error no unit
    expect(() => timeAt(0, { toleratedStepBack: '10' })).toThrow(/^toleratedStepBack: expected a duration/)
  })
})
