import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'
import { createRate } from './rate.ts'

// Not the global `performance`, which tests replace.
const hooks = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:perf_hooks'))

/** The interval of the timer whose delay is measured, in milliseconds. */
const resolution = 20

/**
 * `nodejs.eventloop.delay`: the delay of a timer of 20 ms, with percentiles over the rolling window of all timers.
 * `nodejs.eventloop.utilization`: the recent share of its time that the event loop was not idle. Readers do not affect
 * each other.
 */
export function bindEventLoopMeters({ meters, clock }: RuntimeMeasuring): () => void {
  const delay = meters.timer(
    'nodejs.eventloop.delay',
    {},
    {
      description: 'How much later than due the event loop came by',
      percentiles: [0.5, 0.9, 0.99],
    },
  )
  const utilization = createRate(clock, () => {
    const { idle, active } = hooks().performance.eventLoopUtilization()
    return { part: active, whole: idle + active }
  })
  meters.gauge('nodejs.eventloop.utilization', {}, utilization, {
    description: 'The recent share of its time that the event loop was not idle, from 0 to 1',
  })

  let due = clock.monotonicTime() + resolution
  const timer = setInterval(() => {
    const now = clock.monotonicTime()
    delay.record(Math.max(0, now - due) / 1_000)
    due = now + resolution
  }, resolution)
  timer.unref()
  return () => clearInterval(timer)
}
