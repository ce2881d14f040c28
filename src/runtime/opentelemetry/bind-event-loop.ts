import type { IntervalHistogram } from 'node:perf_hooks'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from '../meters/bind-meters.ts'
import { createRate } from '../meters/rate.ts'
import { runtimeOptions } from './runtime-definitions.ts'

const hooks = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:perf_hooks'))

/** The interval of the timer whose delay is measured, in milliseconds. */
const resolution = 20
/** After how many milliseconds the older of two histograms is cleared, so that readers see the last one or two. */
const rotation = 60_000

const statistics: Readonly<Record<string, (histogram: IntervalHistogram) => number>> = {
  'nodejs.eventloop.delay.min': ({ min }) => min,
  'nodejs.eventloop.delay.max': ({ max }) => max,
  'nodejs.eventloop.delay.mean': ({ mean }) => mean,
  'nodejs.eventloop.delay.p50': (histogram) => histogram.percentile(50),
  'nodejs.eventloop.delay.p90': (histogram) => histogram.percentile(90),
  'nodejs.eventloop.delay.p99': (histogram) => histogram.percentile(99),
}

/** `nodejs.eventloop.*`. The statistics of delays cover one to two minutes. */
export function bindEventLoop({ meters, clock }: RuntimeMeasuring): () => void {
  const created = () => hooks().monitorEventLoopDelay({ resolution })
  let [older, younger] = [created(), created()]
  older.enable()
  younger.enable()
  const timer = setInterval(() => {
    older.reset()
    ;[older, younger] = [younger, older]
  }, rotation)
  timer.unref()

  for (const [name, statistic] of Object.entries(statistics)) {
    // Node measures the time between two runs of its timer, which includes the interval.
    const read = () => (older.count === 0 ? Number.NaN : Math.max(0, statistic(older) / 1e9 - resolution / 1e3))
    meters.gauge(name, {}, read, runtimeOptions(name))
  }
  const deviation = () => older.stddev / 1e9
  meters.gauge('nodejs.eventloop.delay.stddev', {}, deviation, runtimeOptions('nodejs.eventloop.delay.stddev'))

  const times = () => hooks().performance.eventLoopUtilization()
  const utilization = createRate(clock, () => {
    const { idle, active } = times()
    return { part: active, whole: idle + active }
  })
  meters.gauge('nodejs.eventloop.utilization', {}, utilization, runtimeOptions('nodejs.eventloop.utilization'))
  for (const state of ['active', 'idle'] as const) {
    const tags = { 'nodejs.eventloop.state': state }
    meters.functionCounter(
      'nodejs.eventloop.time',
      tags,
      () => times()[state] / 1_000,
      runtimeOptions('nodejs.eventloop.time'),
    )
  }
  return () => {
    clearInterval(timer)
    older.disable()
    younger.disable()
  }
}
