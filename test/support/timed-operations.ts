import { createManagement } from 'upkeep'
import type { MeterSnapshot, SnapshotSource } from 'upkeep/metrics'

type Tags = Readonly<Record<string, string>>

/** Returns the tags of a series. */
export function seriesTags({ id }: MeterSnapshot): Tags {
  return Object.fromEntries(id.tags.map(({ key, value }) => [key, value]))
}

/** Returns the series of a timer or counter: its tags, and how often it was recorded. */
export function recordedSeries(
  meters: SnapshotSource,
  name: string,
): readonly (readonly [tags: Tags, count: number])[] {
  return [...meters.snapshot(name)].flatMap((one) => {
    if (one.kind === 'timer') return [[seriesTags(one), one.count] as const]
    return one.kind === 'counter' ? [[seriesTags(one), one.value] as const] : []
  })
}

/** Creates an untraced management of each convention. */
export function managementsOfBothConventions() {
  const options = { tracing: false, metrics: { runtime: false } } as const
  return {
    micrometer: createManagement(options),
    opentelemetry: createManagement({ ...options, conventions: 'opentelemetry' }),
  }
}
