import type { Exemplar } from '../../metrics/snapshot.ts'

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
