import { sampledFlag } from '../../ids/trace-context/traceparent.ts'
import { registerOwnTracerProvider } from '../../opentelemetry/tracing/tracer-provider.ts'
import { createContextManager } from '../../tracing/context/context-manager.ts'
import { createNativeTracing, createSdkTracing } from '../../tracing/create-tracing.ts'
import { installTracing } from '../../tracing/current-tracing.ts'
import type { SpanRecorderOptions } from '../../tracing/spans/span-recorder.ts'
import { createOpenTelemetrySampler } from '../../tracing/trace-sampler.ts'
import { createDelivery } from '../delivery/delivery.ts'
import type { Exporting, QueuedExport } from '../exporters.ts'
import { urlHint } from '../settings/receiver-url.ts'
import type { TracingSettings } from '../settings/signal-settings.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { exporterOptions, officialSender, type ReceiverAgent } from './official-sender.ts'
import type { TracingPeers } from './peers.ts'

/** Registers a tracer provider for the process and exports its spans, with OpenTelemetry's packages. */
export function exportTraces(
  settings: TracingSettings,
  resource: ResourceAttributes,
  agent: ReceiverAgent,
  peers: TracingPeers,
  exporting: Exporting,
): QueuedExport {
  const { sampling, queue: limits } = settings
  const { sdk, resources } = peers
  const exporter = new peers.exporter.OTLPTraceExporter(exporterOptions(settings, agent))
  const delivery = createDelivery<Parameters<typeof exporter.export>[0]>({
    ...exporting,
    signal: 'traces',
    sender: officialSender(exporter, agent),
    hint: urlHint(settings.url, 'v1/traces'),
    count: (spans) => spans.length,
    timeoutMilliseconds: settings.timeoutMilliseconds,
  })
  let dropped = 0
  /** Delayed instead of once per span: reporting must not slow down a busy application. */
  const tellDropped = (): void => {
    if (dropped > 0) exporting.losses.add('dropped', dropped, `the queue is full (${limits.maximumQueueSize} spans)`)
    dropped = 0
  }
  const queue = createSpanQueue(
    new sdk.BatchSpanProcessor({
      exporter: {
        export(spans, done) {
          queue.take(spans.length)
          tellDropped()
          const deadline = exporting.clock.monotonicTime() + limits.timeoutMilliseconds
          void delivery.deliver(spans, deadline).then((error) => done(error ? { code: 1, error } : { code: 0 }))
        },
        // Queued spans are delivered first, with retries.
        shutdown: () => delivery.idle().then(() => exporter.shutdown()),
      },
      maxQueueSize: limits.maximumQueueSize,
      maxExportBatchSize: limits.readySize,
      scheduledDelayMillis: limits.delayMilliseconds,
      // The delivery has finished.
      exportTimeoutMillis: limits.timeoutMilliseconds + 1_000,
    }),
    limits.maximumQueueSize,
    () => {
      dropped += 1
      exporting.meters.dropped('traces', 1)
    },
  )
  const sender = resources.defaultResource().merge(resources.resourceFromAttributes({ ...resource }))
  const provider = new sdk.TracerProvider({
    resource: sender,
    sampler: sampling.parentBased
      ? createOpenTelemetrySampler(sampling.probability)
      : new sdk.TraceIdRatioBasedSampler(sampling.probability),
    spanProcessors: [queue.processor],
  })
  const recorder = { processor: queue.processor, resource: sender }
  const unregister = register(provider, recorder, settings, peers, exporting)
  return {
    get queueSize() {
      return queue.size
    },
    // The processor resolves when its queue is empty; a batch may still be in delivery.
    flush: () =>
      provider
        .forceFlush()
        .catch(() => {})
        .then(delivery.idle),
    async shutdown() {
      unregister()
      await provider.shutdown().catch(() => {})
      await delivery.idle()
      delivery.abort()
      tellDropped()
    },
    abort: delivery.abort,
  }
}

type Provider = InstanceType<TracingPeers['sdk']['TracerProvider']>

/** Registers a provider for the process. Returns a function that unregisters it. */
function register(
  provider: Provider,
  recorder: SpanRecorderOptions,
  { sampling }: TracingSettings,
  { api, core }: TracingPeers,
  { report, held }: Exporting,
): () => void {
  const { context, propagation, trace } = api
  const ownsContext = context.setGlobalContextManager(createContextManager())
  const ownsPropagation = propagation.setGlobalPropagator(
    new core.CompositePropagator({
      propagators: [new core.W3CTraceContextPropagator(), new core.W3CBaggagePropagator()],
    }),
  )
  const { probability, parentBased } = sampling
  // Without following callers, nothing is decided before the sampler of the SDK, which is then called for every span.
  const unregisterTrace = parentBased ? registerOwnTracerProvider(trace) : registerSdk(trace, provider)
  if (unregisterTrace === undefined) {
    report('otlp: another @opentelemetry/api was registered first; spans started through this one are not exported')
  }
  const tracing = parentBased
    ? createNativeTracing({ recorder, probability, held })
    : createSdkTracing(provider.getTracer('upkeep'))
  const uninstall = installTracing(tracing)
  return () => {
    uninstall()
    tracing.control.revert()
    held?.close()
    unregisterTrace?.()
    if (ownsContext) context.disable()
    if (ownsPropagation) propagation.disable()
  }
}

function registerSdk(trace: TracingPeers['api']['trace'], provider: Provider): (() => void) | undefined {
  return trace.setGlobalTracerProvider(provider) ? () => trace.disable() : undefined
}

type BatchSpanProcessor = InstanceType<TracingPeers['sdk']['BatchSpanProcessor']>
type SpanProcessor = Pick<BatchSpanProcessor, 'onStart' | 'onEnd' | 'forceFlush' | 'shutdown'>

/** The queue of an exporter. */
interface SpanQueue {
  readonly processor: SpanProcessor
  readonly size: number
  /** Removes this many spans from the queue. */
  take(count: number): void
}

/**
 * Wraps a batching processor and rejects spans beyond its capacity: the processor itself drops silently, and reports a
 * count only when another span arrives.
 */
function createSpanQueue(batching: SpanProcessor, maximumSize: number, onDropped: () => void): SpanQueue {
  let size = 0
  let isShutDown = false
  return {
    processor: {
      onStart: (span, context) => batching.onStart(span, context),
      onEnd(span) {
        if ((span.spanContext().traceFlags & sampledFlag) === 0) return
        if (isShutDown || size >= maximumSize) return onDropped()
        size += 1
        batching.onEnd(span)
      },
      forceFlush: () => batching.forceFlush(),
      shutdown() {
        isShutDown = true
        return batching.shutdown()
      },
    },
    get size() {
      return size
    },
    take(count) {
      size -= count
    },
  }
}
