import type { Exemplar, MeterId, MeterSnapshot, Tag } from '../../metrics/snapshot.ts'
import { exportedLabel } from '../naming.ts'

/** The labels of a series, as every format has them. */
interface SeriesLabels {
  /** Names and values, sorted by name; no name twice. */
  readonly labels: readonly (readonly [name: string, value: string])[]
  /** Whether a tag was changed or omitted, so that another series may have the same labels. */
  readonly isAmbiguous: boolean
}

/** The series of one slice as a format writes them, in their order. */
export interface SliceSeries {
  readonly ids: readonly MeterId[]
  /** Whether any of the series is ambiguous. */
  readonly isAmbiguous: boolean
  /** Returns a string that is the same for series with the same labels. */
  readonly keyOf: (index: number) => string
}

/**
 * Returns the labels of a series. A tag with an empty value is omitted, because Prometheus does not distinguish it from
 * a missing one. If the keys of several tags become the same label name, their values are joined with `;`. A lone
 * surrogate becomes U+FFFD.
 */
export function seriesLabels(tags: readonly Tag[], kind: MeterSnapshot['kind']): SeriesLabels {
  const labels = new Map<string, string>()
  let isAmbiguous = false
  for (const { key, value } of tags) {
    const name = exportedLabel(key, kind)
    const valid = value.replace(/\p{Surrogate}/gu, '\ufffd')
    isAmbiguous ||= name !== key || valid !== value || value === ''
    if (value === '') continue
    const joined = labels.get(name)
    labels.set(name, joined === undefined ? valid : `${joined};${valid}`)
  }
  return { labels: [...labels].sort(([one], [other]) => (one < other ? -1 : 1)), isAmbiguous }
}

/** The maximum length of all names and values of an exemplar's labels (OpenMetrics 1.0). */
const maxLength = 128

/**
 * Returns the labels of an exemplar by which Prometheus links to its trace. Empty if it cannot be exported: it has no
 * identifier or no timestamp, or its labels are longer than OpenMetrics allows.
 */
export function exemplarLabels({ traceId, spanId, timestamp }: Exemplar): readonly (readonly [string, string])[] {
  if (!Number.isFinite(timestamp)) return []
  const labels = Object.entries({ trace_id: traceId, span_id: spanId }).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  )
  return [...labels.flat().join('')].length > maxLength ? [] : labels
}
