import type { SpanFacts } from '../documents.ts'

/** A span in a waterfall. */
export interface SpanRow {
  readonly span: SpanFacts
  readonly depth: number
  /** Where its bar begins, and how wide it is, as shares of the whole. */
  readonly start: number
  readonly width: number
  readonly category: SpanCategory
}

export type SpanCategory = 'server' | 'database' | 'outgoing' | 'queue' | 'internal'

/** Returns the spans of a trace in the order of a waterfall: each below its parent, siblings by their beginning. */
export function orderSpans(spans: readonly SpanFacts[]): readonly SpanRow[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const children = new Map<string, SpanFacts[]>()
  const roots: SpanFacts[] = []
  for (const span of [...spans].sort((a, b) => a.at - b.at)) {
    const { parentId } = span
    if (parentId === undefined || !ids.has(parentId) || parentId === span.spanId) roots.push(span)
    else children.set(parentId, [...(children.get(parentId) ?? []), span])
  }
  const from = Math.min(...spans.map(({ at }) => at))
  const whole = Math.max(...spans.map(({ at, seconds }) => at + seconds * 1_000)) - from || 1
  const rows: SpanRow[] = []
  const seen = new Set<string>()
  // Not recursive: a trace can be a thousand spans deep.
  const pending = roots.reverse().map((span) => ({ span, depth: 0 }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { span, depth } = next
    if (seen.has(span.spanId)) continue
    seen.add(span.spanId)
    const start = (span.at - from) / whole
    rows.push({ span, depth, start, width: (span.seconds * 1_000) / whole, category: categoryOf(span) })
    for (const child of (children.get(span.spanId) ?? []).reverse()) pending.push({ span: child, depth: depth + 1 })
  }
  // Spans that are parents of each other have no root.
  for (const span of spans) {
    if (seen.has(span.spanId)) continue
    seen.add(span.spanId)
    rows.push({ span, depth: 0, start: (span.at - from) / whole, width: 0, category: categoryOf(span) })
  }
  return rows
}

function categoryOf({ kind, attributes }: SpanFacts): SpanCategory {
  const names = Object.keys(attributes)
  if (names.some((name) => name.startsWith('db.'))) return 'database'
  if (kind === 'producer' || kind === 'consumer' || names.some((name) => name.startsWith('messaging.'))) return 'queue'
  return kind === 'client' ? 'outgoing' : kind
}
