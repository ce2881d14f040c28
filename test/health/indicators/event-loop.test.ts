import { type EventLoopReading, eventLoop } from 'upkeep/health'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../support/manual-clock.ts'

const never = new AbortController().signal
const calm: EventLoopReading = { utilization: 0.12345, delayMilliseconds: 1.234, maxDelayMilliseconds: 20 }

/** An indicator over readings that are given, of which each may be taken once. */
function watch(readings: EventLoopReading[]) {
  const clock = createManualClock()
  const read = () => readings.shift() ?? calm
  return { clock, indicator: eventLoop({ maxUtilization: 0.9, maxDelay: '100ms', window: '1s', read, clock }) }
}

describe('eventLoop', () => {
  it('is UNKNOWN during the first window', async () => {
    const { clock, indicator } = watch([calm])
    clock.advance(999)

    expect(await indicator(never)).toEqual({ status: 'UNKNOWN', details: { maxUtilization: 0.9, maxDelay: '100ms' } })
  })

  it('is UP with the measurement and the thresholds', async () => {
    const { clock, indicator } = watch([calm])
    clock.advance(1_000)

    expect(await indicator(never)).toEqual({
      status: 'UP',
      details: { utilization: 0.123, maxUtilization: 0.9, delay: '1.23ms', longestDelay: '20ms', maxDelay: '100ms' },
    })
  })

  it.each<[string, Partial<EventLoopReading>, string]>([
    ['busy as it may be', { utilization: 0.9 }, 'UP'],
    ['busier', { utilization: 0.901 }, 'DOWN'],
    ['late as it may be', { delayMilliseconds: 100 }, 'UP'],
    ['later', { delayMilliseconds: 100.1 }, 'DOWN'],
    ['once very late', { maxDelayMilliseconds: 5_000 }, 'UP'],
  ])('if the load is %s', async (_, reading, status) => {
    const { clock, indicator } = watch([{ ...calm, ...reading }])
    clock.advance(1_000)

    expect(await indicator(never)).toMatchObject({ status })
  })

  it('returns the last measurement for a window, then the next', async () => {
    const { clock, indicator } = watch([{ ...calm, utilization: 1 }, calm])
    clock.advance(1_000)
    expect(await indicator(never)).toMatchObject({ status: 'DOWN' })
    clock.advance(999)
    expect(await indicator(never)).toMatchObject({ status: 'DOWN' })
    clock.advance(1)

    expect(await indicator(never)).toMatchObject({ status: 'UP' })
  })

  it.each([
    [{ maxUtilization: 1.1 }, 'eventLoop: maxUtilization: expected a number from 0 to 1, received 1.1'],
    [{ maxUtilization: Number.NaN }, 'eventLoop: maxUtilization: expected a number from 0 to 1, received NaN'],
    [{ maxDelay: '5 s' as '5s' }, 'eventLoop: maxDelay: expected a duration such as "5s", received "5 s"'],
  ])('rejects %j', (options, message) => {
    expect(() => eventLoop(options)).toThrow(message)
    expect(() => eventLoop(options)).toThrow(RangeError)
  })
})
