import type { Report } from '../../base/report.ts'
import { createContextManager } from '../../tracing/context/context-manager.ts'
import { createNativeTracing, createTracing } from '../../tracing/create-tracing.ts'
import { installTracing } from '../../tracing/current-tracing.ts'
import { createOpenTelemetrySampler } from '../../tracing/sampler.ts'
import type { SpanRecorderOptions } from '../../tracing/spans/span-recorder.ts'
import { createDelivery } from '../delivery/delivery.ts'
import { type Exporting, exporterOptions, type SignalExport } from '../delivery/exporting.ts'
import type { ReceiverAgent } from '../delivery/receiver-agent.ts'
import type { TracingPeers } from '../peers.ts'
import { urlHint } from '../settings/receiver-url.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import type { TracingSettings } from '../settings/tracing-settings.ts'
import { createSpanQueue } from './span-queue.ts'

export interface TracesExport extends SignalExport {
  /** How many spans wait to be exported. */
  readonly queueSize: number
}

/** Traces the process, by a provider that is OpenTelemetry's for the whole of it, and sends its spans. */
export function exportTraces(
  settings: TracingSettings,
  resource: ResourceAttributes,
  agent: ReceiverAgent,
  peers: TracingPeers,
  exporting: Exporting,
): TracesExport {
  const { sampling, queue: limits } = settings
  const { sdk, resources } = peers
  const exporter = new peers.exporter.OTLPTraceExporter(exporterOptions(settings, agent))
  const delivery = createDelivery<Parameters<typeof exporter.export>[0]>({
    ...exporting,
    signal: 'traces',
    exporter,
    agent,
    hint: urlHint(settings.url, 'v1/traces'),
    count: (spans) => spans.length,
    timeoutMilliseconds: settings.timeoutMilliseconds,
    patienceMilliseconds: limits.timeoutMilliseconds,
  })
  let dropped = 0
  /** Not at each of them: that would cost the application something exactly when it is busy. */
  const tellDropped = (): void => {
    if (dropped > 0)
      exporting.losses.add('dropped', dropped, `more than ${limits.maximumQueueSize} wait to be exported`)
    dropped = 0
  }
  const queue = createSpanQueue(
    new sdk.BatchSpanProcessor({
      exporter: {
        export(spans, done) {
          queue.take(spans.length)
          tellDropped()
          delivery.export(spans, done)
        },
        // What is left is delivered first, with its repetitions.
        shutdown: () => delivery.idle().then(() => exporter.shutdown()),
      },
      maxQueueSize: limits.maximumQueueSize,
      maxExportBatchSize: limits.maximumBatchSize,
      scheduledDelayMillis: limits.delayMilliseconds,
      // The delivery is over by then.
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
  const unregister = register(provider, recorder, settings, peers, exporting.report)
  return {
    get queueSize() {
      return queue.size
    },
    // The processor resolves as soon as no span waits in it; a batch may be on its way then.
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

/** Makes a provider that of the process; answers how to take it back. */
function register(
  provider: Provider,
  recorder: SpanRecorderOptions,
  { sampling }: TracingSettings,
  { api, core }: TracingPeers,
  report: Report,
): () => void {
  const { context, propagation, trace } = api
  const ownsContext = context.setGlobalContextManager(createContextManager())
  const ownsPropagation = propagation.setGlobalPropagator(
    new core.CompositePropagator({
      propagators: [new core.W3CTraceContextPropagator(), new core.W3CBaggagePropagator()],
    }),
  )
  const ownsTrace = trace.setGlobalTracerProvider(provider)
  if (!ownsTrace) {
    report('OTLP: another @opentelemetry/api was first to register; spans that are started by it are not exported')
  }
  const { probability, parentBased } = sampling
  const uninstall = installTracing(
    // Where callers are not followed nothing can be decided before the sampler: it is then asked for every span.
    parentBased ? createNativeTracing({ recorder, probability }) : createTracing(),
  )
  return () => {
    uninstall()
    if (ownsTrace) trace.disable()
    if (ownsContext) context.disable()
    if (ownsPropagation) propagation.disable()
  }
}
