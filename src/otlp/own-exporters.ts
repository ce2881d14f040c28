import { packageVersion } from '../base/package-version.ts'
import type { Sender } from './delivery/delivery.ts'
import { createReceiverClient, type RequestBody } from './delivery/receiver-client.ts'
import { jsonEncoding } from './encoding/json-encoding.ts'
import type { Encoding } from './encoding/message-writer.ts'
import { protobufEncoding } from './encoding/protobuf-encoding.ts'
import {
  type ExporterSources,
  type Exporters,
  type Exporting,
  type QueuedExport,
  readCertificates,
  secretsOf,
} from './exporters.ts'
import { exportLogs } from './logs-export.ts'
import { exportMetrics } from './metrics/metrics-export.ts'
import type { ReceiverSettings } from './settings/receiver-settings.ts'
import type { LogsSettings } from './settings/signal-settings.ts'
import type { ResourceAttributes } from './settings/telemetry-options.ts'
import { exportTraces } from './traces-export.ts'

/** The exporters without packages. */
export const ownExporters: Exporters = {
  traces(settings, resource, sources) {
    const sender = senderOf(settings, sources)
    return (exporting) => exportTraces(settings, withSdk(resource), encodingOf(settings), sender, exporting)
  },
  metrics(settings, resource, sources) {
    const sender = senderOf(settings, sources)
    return (source, exporting) =>
      exportMetrics(source, settings, withSdk(resource), encodingOf(settings), sender, exporting)
  },
}

/** Checks the settings of the export of log records, which has no other implementation. */
export function prepareLogs(
  settings: LogsSettings,
  resource: ResourceAttributes,
  sources: ExporterSources,
): (exporting: Exporting) => QueuedExport {
  const sender = senderOf(settings, sources)
  return (exporting) => exportLogs(settings, withSdk(resource), encodingOf(settings), sender, exporting)
}

function senderOf(settings: ReceiverSettings, { clock, readFile }: ExporterSources): Sender<RequestBody> {
  return createReceiverClient({
    settings,
    contentType: encodingOf(settings).contentType,
    certificates: readCertificates(settings.certificates, readFile),
    secrets: secretsOf(settings),
    clock,
  })
}

function encodingOf({ protocol }: ReceiverSettings): Encoding {
  return protocol === 'http/json' ? jsonEncoding : protobufEncoding
}

/** Adds the attributes that each SDK sets. OpenTelemetry semantic conventions, "Telemetry SDK" and "Service". */
function withSdk(resource: ResourceAttributes): ResourceAttributes {
  return {
    'service.name': 'unknown_service:node',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'upkeep',
    'telemetry.sdk.version': packageVersion,
    ...resource,
  }
}
