import { nextTurn } from '../../base/timers.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { createDelivery, type Sender } from '../delivery/delivery.ts'
import type { RequestBody } from '../delivery/receiver-client.ts'
import type { Encoding } from '../encoding/message-writer.ts'
import type { Exporting, SignalExport } from '../exporters.ts'
import { type MetricsSettings, metricsHint } from '../settings/signal-settings.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { MetricsMessage, type MetricsRequest } from './metrics-message.ts'
import { readSlices } from './read-slices.ts'
import { temporalityOf } from './temporality.ts'

/** Limits of one request. Gauges beside a metric are written at once, at less than a microsecond each. */
const maxPoints = 4_000
const maxBytes = 1_000_000

/** Exports all meters of a source at an interval, in requests that are encoded one after the other. */
export function exportMetrics(
  source: SnapshotSource,
  settings: MetricsSettings,
  resource: ResourceAttributes,
  encoding: Encoding,
  sender: Sender<RequestBody>,
  exporting: Exporting,
): SignalExport {
  const { clock, report } = exporting
  const temporality = temporalityOf(settings.temporality)
  const delivery = createDelivery<MetricsRequest>({
    ...exporting,
    signal: 'metrics',
    sender,
    hint: metricsHint(settings),
    count: ({ count }) => count,
    acknowledge: ({ deltas, time }) => temporality.acknowledge(deltas, time),
    timeoutMilliseconds: settings.timeoutMilliseconds,
  })
  const out = encoding.createWriter()
  let latest: Promise<void> | undefined
  let isShutDown = false

  async function exportAll(limit: number): Promise<void> {
    const deadline = Math.min(clock.monotonicTime() + settings.timeoutMilliseconds, limit)
    const message = new MetricsMessage(out, resource, temporality, clock.wallTime() / 1_000)
    try {
      for await (const slice of readSlices(source, clock)) {
        message.add(slice)
        if (message.count >= maxPoints || out.length >= maxBytes) await deliver(message.take(), deadline)
      }
    } catch (error) {
      report('otlp: failed to read the meters', error)
    }
    await deliver(message.take(), deadline)
  }

  async function deliver(request: MetricsRequest | undefined, deadline: number): Promise<void> {
    if (request === undefined) return
    // To write a request to a socket takes up to a millisecond, which would be added to that of encoding it.
    await nextTurn()
    await delivery.deliver(request, deadline)
    out.reuse(request.body)
  }

  /** Exports after the current export, if any. */
  function start(limit: number = Number.POSITIVE_INFINITY): Promise<void> {
    const started = (latest ?? Promise.resolve())
      .then(() => exportAll(limit))
      .finally(() => {
        if (latest === started) latest = undefined
      })
    latest = started
    return started
  }

  const timer = exporting.onlyOnFlush
    ? undefined
    : setInterval(() => {
        if (latest === undefined) void start()
      }, settings.stepMilliseconds)
  timer?.unref()

  return {
    flush: (deadline) => (isShutDown ? Promise.resolve() : start(deadline)),
    async shutdown() {
      clearInterval(timer)
      isShutDown = true
      await start()
      delivery.abort()
    },
    abort: delivery.abort,
  }
}
