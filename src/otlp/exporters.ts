import type { Clock } from '../base/clock.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { Exporting, SignalExport } from './delivery/exporting.ts'
import type { MetricsSettings } from './settings/metrics-settings.ts'
import type { ResourceAttributes } from './settings/telemetry-options.ts'
import type { TracingSettings } from './settings/tracing-settings.ts'

/** What exporters need of the process. */
export interface ExporterSources {
  readonly clock: Clock
  readonly readFile: (path: string) => Uint8Array
}

/** An export whose items wait in a queue. */
export interface QueuedExport extends SignalExport {
  /** The number of items that have not been delivered. */
  readonly queueSize: number
}

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
