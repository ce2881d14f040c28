import type { MeterSnapshot } from '../metrics/snapshot.ts'

/** The names of all meters, sorted, each once: Spring Boot Actuator's `{"names":[…]}`. */
export function metricNames(snapshots: Iterable<MeterSnapshot>): readonly string[] {
  const names = new Set<string>()
  for (const { id } of snapshots) names.add(id.name)
  return [...names].sort()
}
