import { figure, formatBytes, formatSeconds, formatShare } from './shown-figures.ts'
import type { Evidence, WhyDocument, WhyStatement } from './why-document.ts'

/** Returns the document as Markdown. Text of the application is escaped: it is data, and must not format the page. */
export function renderWhy(document: WhyDocument, linkOf: (fragment: string) => string | undefined): string {
  const { application, now, summary, statements, markers, omitted, windowSeconds } = document
  const title = [application.name ?? 'The service', application.version].filter(Boolean).join(' ')
  return [
    `# ${escapeText(title)}: why`,
    `${new Date(now).toISOString()}, about the last ${windowSeconds / 60} minutes`,
    escapeText(summary),
    ...statements.map((statement, at) => renderStatement(statement, at + 1, linkOf(statement.link))),
    ...(omitted === 0 ? [] : [`${omitted} more statements are left out.`]),
    ...(markers.length === 0 ? [] : ['## What happened', markers.map(renderMarker).join('\n')]),
    '',
  ].join('\n\n')
}

function renderStatement(statement: WhyStatement, number: number, link: string | undefined): string {
  const { kind, severity, text, since, evidence, traces } = statement
  return [
    `## ${number}. ${escapeText(text)}`,
    '',
    `- ${kind}, ${severity}${since === undefined ? '' : `, since ${new Date(since).toISOString()}`}`,
    ...evidence.map((each) => `- ${escapeText(each.name)}: ${renderEvidence(each)}`),
    ...(traces.length === 0 ? [] : [`- traces: ${traces.join(', ')}`]),
    ...(link === undefined ? [] : [`- see ${link}`]),
  ].join('\n')
}

function renderEvidence({ value, baseline, unit }: Evidence): string {
  const shown = (each: number) => {
    if (unit === 'seconds') return formatSeconds(each)
    if (unit === 'bytes') return each >= 2 ** 20 ? formatBytes(each) : `${each} bytes`
    return unit === 'share' ? formatShare(each) : String(figure(each))
  }
  const text = typeof value === 'number' ? shown(value) : escapeText(value)
  return baseline === undefined ? text : `${text}, before ${shown(baseline)}`
}

function renderMarker({ at, kind, text }: WhyDocument['markers'][number]): string {
  return `- ${new Date(at).toISOString()} ${kind}: ${escapeText(text)}`
}

function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>#|&~]/g, '\\$&')
}
