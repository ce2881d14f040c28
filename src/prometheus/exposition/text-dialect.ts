import type { Exemplar } from '../../metrics/snapshot.ts'
import type { ExpositionFormat } from './exposition-format.ts'

/**
 * The type of a family; a format that lacks one writes the nearest that it has. `unknown` is a counter whose name does
 * not end in `_total`, as OpenMetrics requires of counters.
 */
type MetricType = 'counter' | 'gauge' | 'info' | 'summary' | 'histogram' | 'gaugehistogram' | 'unknown'

/** The contents of the lines before a family's samples. */
export interface FamilyHeader {
  /** As in OpenMetrics: a counter's without `_total`, an info's without `_info`. */
  readonly name: string
  readonly type: MetricType
  readonly unit: string | undefined
  readonly help: string
}

/** The differences between the text formats. */
export interface TextDialect extends Omit<ExpositionFormat, 'createPage'> {
  /** Returns complete lines. */
  readonly header: (family: FamilyHeader) => string
  /** Returns what follows a sample's value: nothing, or ` # {trace_id="…",span_id="…"} value timestamp`. */
  readonly exemplar: (exemplar: Exemplar | undefined) => string
  /** Whether `_created` samples are written. */
  readonly created: boolean
  /** Whether `_gsum` and `_gcount` belong to a gauge histogram's family, or are gauges of their own. */
  readonly gaugeHistograms: boolean
  /** The last line of a page, if any. */
  readonly end: string
}
