import type { Clock } from '../base/clock.ts'
import { invalidOption } from '../base/errors.ts'
import type { Report } from '../base/report.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { HeldRequests } from '../tracing/held/held-requests.ts'
import type { ExportMeters } from './delivery/export-meters.ts'
import type { LossReport } from './delivery/loss-report.ts'
import type { CertificateFiles, ReceiverSettings } from './settings/receiver-settings.ts'
import type { MetricsSettings, TracingSettings } from './settings/signal-settings.ts'
import type { ResourceAttributes } from './settings/telemetry-options.ts'

/**
 * An implementation of the export: upkeep's own or OpenTelemetry's. Each function checks its settings, and returns the
 * one that starts the export and cannot fail.
 */
export interface Exporters {
  traces(
    settings: TracingSettings,
    resource: ResourceAttributes,
    sources: ExporterSources,
  ): (exporting: Exporting) => QueuedExport
  metrics(
    settings: MetricsSettings,
    resource: ResourceAttributes,
    sources: ExporterSources,
  ): (source: SnapshotSource, exporting: Exporting) => SignalExport
}

/** What exporters need of the process. */
export interface ExporterSources {
  readonly clock: Clock
  readonly readFile: (path: string) => Uint8Array
}

/** Dependencies shared by all signals. */
export interface Exporting {
  readonly meters: ExportMeters
  readonly losses: LossReport
  readonly report: Report
  readonly clock: Clock
  readonly random: () => number
  /** Whether data is sent during `flush` and `shutdown` only. */
  readonly onlyOnFlush: boolean
  /** Holds what is not exported, for requests that fail; `undefined` while traces are not exported. */
  readonly held?: HeldRequests | undefined
}

/** The export of one signal. */
export interface SignalExport {
  /**
   * Exports current data. Never rejects; takes as long as the receiver, or until `abort` or `deadline`, in milliseconds
   * of monotonic time.
   */
  flush(deadline?: number): Promise<void>
  /** Exports current data and stops. */
  shutdown(): Promise<void>
  /** Cancels deliveries; pending `flush` and `shutdown` calls resolve soon after. */
  abort(): void
}

/** An export whose items wait in a queue. */
export interface QueuedExport extends SignalExport {
  /** The number of items that have not been delivered. */
  readonly queueSize: number
}

/** Returns the parts of header values that must not appear in reports: whole values, and the token of `Bearer …`. */
export function secretsOf({ headers }: ReceiverSettings): readonly string[] {
  return Object.values(headers)
    .flatMap((value) => [value, ...value.split(' ')])
    .filter(({ length }) => length >= minSecretLength)
}

/** Shorter values, such as `Basic`, are not searched for in responses. */
const minSecretLength = 6

/**
 * Reads PEM files.
 *
 * @throws TypeError if one cannot be read.
 */
export function readCertificates(
  files: CertificateFiles,
  readFile: (path: string) => Uint8Array,
): Readonly<Record<string, Buffer>> {
  const read: Record<string, Buffer> = {}
  for (const [name, path] of Object.entries(files)) {
    if (path === undefined) continue
    try {
      read[name] = Buffer.from(readFile(path))
    } catch (error) {
      throw invalidOption(`startTelemetry: cannot read the certificate file ${JSON.stringify(path)}`, {
        cause: error,
      })
    }
  }
  return read
}
