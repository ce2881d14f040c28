import type { Exemplar } from '../../metrics/snapshot.ts'
import { namesTakenBy } from '../naming.ts'
import type { ExpositionFormat, FamilyHeader } from './exposition-format.ts'
import { formatValue } from './numbers.ts'
import { escapeLabelValue } from './series-text.ts'

/**
 * OpenMetrics 1.0: units, exemplars on `_bucket` and `_total`, infos and gauge histograms. Without `_created` samples,
 * which Prometheus stores as one more series per counter, timer and summary.
 */
export const openMetricsText: ExpositionFormat = {
  mediaType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  header,
  namesOf: namesTakenBy,
  exemplar,
  created: false,
  gaugeHistograms: true,
  end: '# EOF\n',
}

function header({ name, type, unit, help }: FamilyHeader): string {
  const unitLine = unit === undefined ? '' : `# UNIT ${name} ${unit}\n`
  return `# TYPE ${name} ${type}\n${unitLine}# HELP ${name} ${escapeHelp(help)}\n`
}

/** OpenMetrics 1.0 with `_created` samples. */
export const openMetricsTextWithCreated: ExpositionFormat = { ...openMetricsText, created: true }

/** Escapes backslash, newline and quote: in OpenMetrics, the help text is escaped like a label value. */
function escapeHelp(help: string): string {
  return escapeLabelValue(help)
}

/** The maximum length of all names and values of an exemplar's labels (OpenMetrics 1.0); longer ones are omitted. */
const exemplarLabelsMaxLength = 128

function exemplar(taken: Exemplar | undefined): string {
  if (taken === undefined || !Number.isFinite(taken.timestamp)) return ''
  const labels = Object.entries({ trace_id: taken.traceId, span_id: taken.spanId }).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  )
  if (labels.length === 0) return ''
  if ([...labels.flat().join('')].length > exemplarLabelsMaxLength) return ''
  const pairs = labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`)
  return ` # {${pairs.join(',')}} ${formatValue(taken.value)} ${taken.timestamp}`
}
