import { trace } from '@opentelemetry/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exporters, useTelemetry } from '../support/otlp/telemetry.ts'
import { processTracing } from '../support/process-tracing.ts'

/** As if another copy of OpenTelemetry's API had been used first, with which this one cannot register anything. */
function useOtherApi(): void {
  const key = Symbol.for('opentelemetry.js.api.1')
  const shared = globalThis as { [key: symbol]: unknown }
  const before = shared[key]
  shared[key] = { version: '1.4.0' }
  onTestFinished(() => {
    shared[key] = before
  })
}

const reports = {
  upkeep: 'otlp: another tracer provider was registered first; spans started through it are not exported',
  opentelemetry:
    'otlp: another @opentelemetry/api was registered first; spans started through this one are not exported',
}

describe.each(exporters)('with the exporter %s, and another copy of the API that was used first,', (exporter) => {
  const start = useTelemetry(exporter, { metrics: false, logs: false })

  it('that is reported, the spans of upkeep are exported, and the shutdown leaves nothing', async () => {
    useOtherApi()
    const { receiver, telemetry, trace: traceSpans, reported } = await start()
    expect(reported).toEqual([reports[exporter]])
    traceSpans(1)
    trace.getTracer('the application').startSpan('own').end()
    await telemetry.shutdown()
    expect(receiver.exports.flatMap(({ spans }) => spans).map(({ name }) => name)).toEqual(['span 0'])
    expect(processTracing()).toBeUndefined()
  })
})
