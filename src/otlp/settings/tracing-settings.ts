import type { QueueSettings } from '../delivery/batch-export.ts'
import { aCount, aProbability, oneOf } from './grammars.ts'
import { type ReceiverSettings, receiverSettings } from './receiver-settings.ts'
import type { TelemetryOptions, TracingExportOptions } from './telemetry-options.ts'
import { readMilliseconds } from './timing.ts'
import type { VariableReader } from './variables.ts'

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
    queue: queueOf(own, variables),
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

function queueOf(own: TracingExportOptions, variables: VariableReader): SpanQueueSettings {
  const maximumQueueSize = own.maximumQueueSize ?? variables.read(['OTEL_BSP_MAX_QUEUE_SIZE'], aCount) ?? 2_048
  const maximumBatchSize = own.maximumBatchSize ?? variables.read(['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'], aCount) ?? 512
  return {
    maximumQueueSize,
    maximumBatchSize: Math.min(maximumBatchSize, maximumQueueSize),
    maximumQueueBytes: own.maximumQueueBytes ?? 16 * 1024 * 1024,
    delayMilliseconds: readMilliseconds(own.delay, variables, ['OTEL_BSP_SCHEDULE_DELAY'], 5_000),
    timeoutMilliseconds: readMilliseconds(undefined, variables, ['OTEL_BSP_EXPORT_TIMEOUT'], 30_000),
  }
}
