import { severityOf } from '../../logging/levels/severity.ts'
import { type ReceiverSettings, receiverSettings } from './receiver-settings.ts'
import { urlHint } from './receiver-url.ts'
import type {
  LogsExportOptions,
  MetricsExportOptions,
  TelemetryOptions,
  TracingExportOptions,
} from './telemetry-options.ts'
import { aCount, aProbability, oneOf, readMilliseconds, type VariableReader } from './variables.ts'

export interface TracingSettings extends ReceiverSettings {
  readonly sampling: Sampling
  readonly queue: SpanQueueSettings
}

interface Sampling {
  /** Whether the sampling decision of the caller is followed. */
  readonly parentBased: boolean
  /** Fraction of all other traces that are recorded. */
  readonly probability: number
}

/** Limits of the items that wait for export. */
export interface QueueSettings {
  /** Maximum number of items that have not been encoded. */
  readonly maximumQueueSize: number
  /** Maximum number of items of a request. */
  readonly maximumBatchSize: number
  /** Number of items with which an export begins before the delay has passed. */
  readonly readySize: number
  /** Maximum number of encoded bytes, including the batch that is being sent. */
  readonly maximumQueueBytes: number
  readonly delayMilliseconds: number
}

interface SpanQueueSettings extends QueueSettings {
  /** Timeout of a batch, including the batches before it, with OpenTelemetry's exporter. */
  readonly timeoutMilliseconds: number
}

const samplers = oneOf(
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
)

export function tracingSettings(
  general: TelemetryOptions,
  own: TracingExportOptions,
  variables: VariableReader,
): TracingSettings {
  return {
    ...receiverSettings({ name: 'TRACES', path: 'v1/traces' }, general, own, variables),
    sampling: samplingOf(own, variables),
    queue: {
      ...queueOf(own, variables, 'BSP', 5_000),
      timeoutMilliseconds: readMilliseconds(undefined, variables, ['OTEL_BSP_EXPORT_TIMEOUT'], 30_000),
    },
  }
}

function samplingOf({ probability }: TracingExportOptions, variables: VariableReader): Sampling {
  if (probability !== undefined) return { parentBased: true, probability }
  const sampler = variables.read(['OTEL_TRACES_SAMPLER'], samplers) ?? 'parentbased_always_on'
  const parentBased = sampler.startsWith('parentbased_')
  if (sampler.endsWith('always_on')) return { parentBased, probability: 1 }
  if (sampler.endsWith('always_off')) return { parentBased, probability: 0 }
  return { parentBased, probability: variables.read(['OTEL_TRACES_SAMPLER_ARG'], aProbability) ?? 1 }
}

/** Returns the limits of a queue. `processor` is as in the names of its variables, `delay` is the default. */
function queueOf(
  own: TracingExportOptions | LogsExportOptions,
  variables: VariableReader,
  processor: 'BSP' | 'BLRP',
  delay: number,
): QueueSettings {
  const maximumQueueSize = own.maximumQueueSize ?? variables.read([`OTEL_${processor}_MAX_QUEUE_SIZE`], aCount) ?? 2_048
  const batchSize = own.maximumBatchSize ?? variables.read([`OTEL_${processor}_MAX_EXPORT_BATCH_SIZE`], aCount)
  return {
    maximumQueueSize,
    maximumBatchSize: Math.min(batchSize ?? 2_048, maximumQueueSize),
    readySize: Math.min(batchSize ?? 512, maximumQueueSize),
    maximumQueueBytes: own.maximumQueueBytes ?? 16 * 1024 * 1024,
    delayMilliseconds: readMilliseconds(own.delay, variables, [`OTEL_${processor}_SCHEDULE_DELAY`], delay),
  }
}

export interface MetricsSettings extends ReceiverSettings {
  readonly stepMilliseconds: number
  readonly temporality: 'cumulative' | 'delta' | 'lowmemory'
}

const temporalities = oneOf('cumulative', 'delta', 'lowmemory')

/** Returns the hints for a receiver that refuses data points. */
export function metricsHint({ url, temporality }: MetricsSettings): (status: number, reason: string) => string {
  const hintOfUrl = urlHint(url, 'v1/metrics')
  return (status, reason) => {
    if (temporality === 'cumulative' || !/temporality/i.test(reason)) return hintOfUrl(status)
    return `; the receiver does not accept the temporality ${temporality}: set metrics.temporality to cumulative`
  }
}

export function metricsSettings(
  general: TelemetryOptions,
  own: MetricsExportOptions,
  variables: VariableReader,
): MetricsSettings {
  const receiver = receiverSettings({ name: 'METRICS', path: 'v1/metrics' }, general, own, variables)
  const stepMilliseconds = readMilliseconds(own.step, variables, ['OTEL_METRIC_EXPORT_INTERVAL'], 60_000)
  const limit = readMilliseconds(undefined, variables, ['OTEL_METRIC_EXPORT_TIMEOUT'], 30_000)
  return {
    ...receiver,
    // Exports must not overlap: with deltas, overlapping exports would count twice.
    timeoutMilliseconds: Math.max(1, Math.floor(Math.min(receiver.timeoutMilliseconds, limit, stepMilliseconds * 0.9))),
    stepMilliseconds,
    temporality:
      own.temporality ??
      variables.read(['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'], temporalities) ??
      'cumulative',
  }
}

export interface LogsSettings extends ReceiverSettings {
  readonly queue: QueueSettings
  /** Records of a lower severity are not exported. */
  readonly minimumSeverity: number
  readonly maximumAttributes: number
  readonly console: boolean
}

export function logsSettings(
  general: TelemetryOptions,
  own: LogsExportOptions,
  variables: VariableReader,
): LogsSettings {
  const maximumAttributes =
    variables.read(['OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT', 'OTEL_ATTRIBUTE_COUNT_LIMIT'], aCount) ?? 128
  return {
    ...receiverSettings({ name: 'LOGS', path: 'v1/logs' }, general, own, variables),
    queue: queueOf(own, variables, 'BLRP', 1_000),
    minimumSeverity: own.level === undefined ? 1 : severityOf(own.level),
    maximumAttributes,
    console: own.console ?? false,
  }
}
