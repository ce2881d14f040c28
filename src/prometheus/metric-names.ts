import type { SnapshotSource } from '../metrics/snapshot.ts'

/** The response to `/metrics`, as in Spring Boot Actuator. */
interface MetricNames {
  /** The names of the meters in the code, sorted, each once. */
  readonly names: readonly string[]
}

export function metricNames(source: Pick<SnapshotSource, 'names'>): MetricNames {
  return { names: source.names() }
}
