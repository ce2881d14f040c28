import type { Exemplar } from '../../metrics/snapshot.ts'
import type { ExportedName } from '../naming.ts'

/**
 * The word for a family's type; a format without one of them writes the nearest that it has. `unknown` is a
 * counter whose name does not end in `_total`, as OpenMetrics demands of counters.
 */
export type MetricType = 'counter' | 'gauge' | 'info' | 'summary' | 'histogram' | 'gaugehistogram' | 'unknown'

/** What stands before a family's samples. */
export interface FamilyHeader {
  /** As in OpenMetrics: a counter's without `_total`, an info's without `_info`. */
  readonly name: string
  readonly type: MetricType
  readonly unit: string | undefined
  readonly help: string
}

/** Where the text formats differ; all else is one writer. */
export interface ExpositionFormat {
  /** The media type with its parameters, for `Content-Type`. */
  readonly mediaType: string
  /** Whole lines. */
  readonly header: (family: FamilyHeader) => string
  /** Returns every name that a family takes on a page: no other family there may have one of them. */
  readonly namesOf: (exported: ExportedName) => readonly string[]
  /** What follows a sample's value: nothing, or ` # {trace_id="…",span_id="…"} value timestamp`. */
  readonly exemplar: (exemplar: Exemplar | undefined) => string
  /** Whether `_created` samples are written. */
  readonly created: boolean
  /** Whether `_gsum` and `_gcount` belong to a gauge histogram's family, or are gauges of their own. */
  readonly gaugeHistograms: boolean
  /** What stands at the end of the page. */
  readonly end: string
}
