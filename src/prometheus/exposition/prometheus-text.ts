import { sampleNamesOf } from '../naming.ts'
import type { FamilyHeader } from './text-dialect.ts'
import { type TextFormat, textFormat } from './text-page.ts'

/** Prometheus' text format 0.0.4: no units, no exemplars, no `_created`; infos are gauges. */
export const prometheusText: TextFormat = /* @__PURE__ */ textFormat({
  mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  header,
  namesOf: sampleNamesOf,
  exemplar: () => '',
  created: false,
  gaugeHistograms: false,
  end: '',
})

function header({ name, type, help }: FamilyHeader): string {
  switch (type) {
    case 'counter':
      return lines(`${name}_total`, type, help)
    case 'info':
      return lines(`${name}_info`, 'gauge', help)
    case 'unknown':
      return lines(name, 'untyped', help)
    case 'gaugehistogram':
      return lines(name, 'histogram', help)
    case 'gauge':
    case 'histogram':
    case 'summary':
      return lines(name, type, help)
  }
}

function lines(name: string, type: string, help: string): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`
}

/** Escapes backslash and newline; unlike in label values and in OpenMetrics, not the quote. */
function escapeHelp(help: string): string {
  return help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')
}
