import { severityOf } from '../../logging/levels/severity.ts'
import type { QueueSettings } from '../delivery/batch-export.ts'
import { aCount } from './grammars.ts'
import { type ReceiverSettings, receiverSettings } from './receiver-settings.ts'
import type { LogsExportOptions, TelemetryOptions } from './telemetry-options.ts'
import { readMilliseconds } from './timing.ts'
import type { VariableReader } from './variables.ts'

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
    queue: queueOf(own, variables),
    minimumSeverity: own.level === undefined ? 1 : severityOf(own.level),
    maximumAttributes,
    console: own.console ?? false,
  }
}

function queueOf(own: LogsExportOptions, variables: VariableReader): QueueSettings {
  const maximumQueueSize = own.maximumQueueSize ?? variables.read(['OTEL_BLRP_MAX_QUEUE_SIZE'], aCount) ?? 2_048
  const maximumBatchSize = own.maximumBatchSize ?? variables.read(['OTEL_BLRP_MAX_EXPORT_BATCH_SIZE'], aCount) ?? 512
  return {
    maximumQueueSize,
    maximumBatchSize: Math.min(maximumBatchSize, maximumQueueSize),
    maximumQueueBytes: own.maximumQueueBytes ?? 16 * 1024 * 1024,
    delayMilliseconds: readMilliseconds(own.delay, variables, ['OTEL_BLRP_SCHEDULE_DELAY'], 1_000),
  }
}
