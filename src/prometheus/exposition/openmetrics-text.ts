import type { Exemplar } from '../../metrics/snapshot.ts'
import { namesTakenBy } from '../naming.ts'
import { exemplarLabels } from './exemplar-labels.ts'
import { formatValue } from './numbers.ts'
import { escapeLabelValue } from './series-text.ts'
import type { FamilyHeader } from './text-dialect.ts'
import { type TextFormat, textFormat } from './text-page.ts'

/**
 * OpenMetrics 1.0: units, exemplars on `_bucket` and `_total`, infos and gauge histograms. Without `_created` samples,
 * which Prometheus stores as one more series per counter, timer and summary.
 */
export const openMetricsText: TextFormat = /* @__PURE__ */ createFormat(false)

/** OpenMetrics 1.0 with `_created` samples. */
export const openMetricsTextWithCreated: TextFormat = /* @__PURE__ */ createFormat(true)

function createFormat(created: boolean): TextFormat {
  return textFormat({
    mediaType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    header,
    namesOf: namesTakenBy,
    exemplar,
    created,
    gaugeHistograms: true,
    end: '# EOF\n',
  })
}

function header({ name, type, unit, help }: FamilyHeader): string {
  const unitLine = unit === undefined ? '' : `# UNIT ${name} ${unit}\n`
  return `# TYPE ${name} ${type}\n${unitLine}# HELP ${name} ${escapeHelp(help)}\n`
}

/** Escapes backslash, newline and quote: in OpenMetrics, the help text is escaped like a label value. */
function escapeHelp(help: string): string {
  return escapeLabelValue(help)
}

function exemplar(taken: Exemplar | undefined): string {
  if (taken === undefined) return ''
  const labels = exemplarLabels(taken)
  if (labels.length === 0) return ''
  const pairs = labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`)
  return ` # {${pairs.join(',')}} ${formatValue(taken.value)} ${taken.timestamp}`
}
