import type { Clock } from '../../base/clock.ts'
import { nextTurn } from '../../base/timers.ts'
import { sampledFlag } from '../../ids/trace-context/traceparent.ts'
import { registerIfInstalled } from '../../opentelemetry/register-tracer-provider.ts'
import { createNativeTracing } from '../../tracing/create-tracing.ts'
import { installTracing } from '../../tracing/current-tracing.ts'
import type { EndedSpan } from '../../tracing/spans/span-recorder.ts'
import { type BatchExport, createBatchExport } from '../delivery/batch-export.ts'
import type { Sender } from '../delivery/delivery.ts'
import type { Exporting } from '../delivery/exporting.ts'
import type { RequestBody } from '../delivery/receiver-client.ts'
import { writeSpan } from '../encoding/encode-spans.ts'
import { Envelope, envelopeFields } from '../encoding/envelope.ts'
import type { Encoding } from '../encoding/message-writer.ts'
import { sliceMilliseconds } from '../metrics/read-slices.ts'
import { urlHint } from '../settings/receiver-url.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import type { TracingSettings } from '../settings/tracing-settings.ts'

const envelope = envelopeFields('resourceSpans', 'scopeSpans')
const spans = { number: 2, name: 'spans', isRepeated: true } as const

/** How many spans are encoded between two looks at the clock. */
const sliceSize = 16

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
  const uninstall = installTracing(
    createNativeTracing({
      recorder: { processor, resource },
      probability: sampling.probability,
      followsCaller: sampling.parentBased,
    }),
  )
  return {
    add: batches.add,
    get queueSize() {
      return batches.queueSize
    },
    flush: batches.flush,
    shutdown() {
      uninstall()
      unregister?.()
      return batches.shutdown()
    },
    abort: batches.abort,
  }
}

/** Returns a function that encodes spans as a request, in slices. */
export function createSpanEncoder(
  encoding: Encoding,
  resource: ResourceAttributes,
): (items: readonly EndedSpan[], clock: Clock) => Promise<readonly Uint8Array[]> {
  return async (items, clock) => {
    const out = encoding.createWriter()
    const outer = new Envelope(out, envelope, resource)
    let began = clock.monotonicTime()
    for (const group of byScope(items)) {
      for (const [index, span] of group.entries()) {
        outer.begin(span.instrumentationScope)
        const token = out.begin(spans)
        writeSpan(out, span)
        out.end(token)
        if (index % sliceSize !== 0 || clock.monotonicTime() - began < sliceMilliseconds) continue
        await nextTurn()
        began = clock.monotonicTime()
      }
    }
    outer.end()
    // Exactly as much memory as its bytes: a batch may wait for long.
    return [Buffer.concat(out.take())]
  }
}

function byScope(items: readonly EndedSpan[]): Iterable<readonly EndedSpan[]> {
  const [first] = items
  if (items.every(({ instrumentationScope }) => instrumentationScope === first?.instrumentationScope)) return [items]
  const groups = new Map<unknown, EndedSpan[]>()
  for (const span of items) {
    const group = groups.get(span.instrumentationScope) ?? []
    groups.set(span.instrumentationScope, group)
    group.push(span)
  }
  return groups.values()
}
