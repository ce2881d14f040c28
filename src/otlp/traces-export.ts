import { sampledFlag } from '../ids/trace-context/traceparent.ts'
import { registerIfInstalled } from '../opentelemetry/register-tracer-provider.ts'
import { createNativeTracing } from '../tracing/create-tracing.ts'
import { installTracing } from '../tracing/current-tracing.ts'
import type { EndedSpan } from '../tracing/spans/span-recorder.ts'
import { type BatchExport, createBatchExport } from './delivery/batch-export.ts'
import type { Sender } from './delivery/delivery.ts'
import type { RequestBody } from './delivery/receiver-client.ts'
import { createSpanEncoder } from './encoding/encode-spans.ts'
import type { Encoding } from './encoding/message-writer.ts'
import type { Exporting } from './exporters.ts'
import { urlHint } from './settings/receiver-url.ts'
import type { TracingSettings } from './settings/signal-settings.ts'
import type { ResourceAttributes } from './settings/telemetry-options.ts'

/** Records the spans of the process, and exports them. */
export function exportTraces(
  settings: TracingSettings,
  resource: ResourceAttributes,
  encoding: Encoding,
  sender: Sender<RequestBody>,
  exporting: Exporting,
): BatchExport<EndedSpan> {
  const { sampling, queue, timeoutMilliseconds } = settings
  const batches = createBatchExport<EndedSpan>({
    signal: 'traces',
    queue,
    encode: createSpanEncoder(encoding, resource),
    sender,
    hint: urlHint(settings.url, 'v1/traces'),
    timeoutMilliseconds,
    exporting,
  })
  const processor = {
    onEnd(span: EndedSpan) {
      if ((span.spanContext().traceFlags & sampledFlag) !== 0) batches.add(span)
    },
  }
  const unregister = registerIfInstalled()
  if (unregister === undefined) {
    exporting.report('otlp: another tracer provider was registered first; spans started through it are not exported')
  }
  const tracing = createNativeTracing({
    recorder: { processor, resource },
    probability: sampling.probability,
    followsCaller: sampling.parentBased,
    held: exporting.held,
  })
  const uninstall = installTracing(tracing)
  return {
    add: batches.add,
    get queueSize() {
      return batches.queueSize
    },
    flush: batches.flush,
    shutdown() {
      uninstall()
      unregister?.()
      tracing.control.revert()
      exporting.held?.close()
      return batches.shutdown()
    },
    abort: batches.abort,
  }
}
