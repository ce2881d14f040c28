import type { SnapshotSource } from '../metrics/snapshot.ts'

/** Spring Boot Actuator's answer to `/metrics`. */
export interface MetricNames {
  /** The names that meters have in the code, sorted, each once. */
  readonly names: readonly string[]
}

export function metricNames(source: Pick<SnapshotSource, 'names'>): MetricNames {
  return { names: source.names() }
}
