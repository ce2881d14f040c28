import { describe, expect, it } from 'vitest'
import type { SpanFacts } from '../../../src/console/documents.ts'
import { orderSpans } from '../../../src/console/ui/span-tree.ts'

function span(spanId: string, parentId: string | undefined, at: number, more: Partial<SpanFacts> = {}): SpanFacts {
  return { spanId, parentId, name: spanId, kind: 'internal', at, seconds: 0.01, attributes: {}, ...more }
}

describe('a waterfall', () => {
  it('has each span below its parent, siblings by their beginning', () => {
    const rows = orderSpans([span('c', 'a', 30), span('a', undefined, 0), span('d', 'b', 15), span('b', 'a', 10)])
    expect(rows.map((row) => [row.span.spanId, row.depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['d', 2],
      ['c', 1],
    ])
  })

  it('places each span by its share of the whole', () => {
    const rows = orderSpans([span('a', undefined, 100, { seconds: 0.2 }), span('b', 'a', 150, { seconds: 0.05 })])
    expect(rows.map(({ start, width }) => [start, width])).toEqual([
      [0, 1],
      [0.25, 0.25],
    ])
  })

  it('has spans whose parent is unknown, or is themselves, or a descendant', () => {
    const rows = orderSpans([span('a', 'x', 0), span('b', 'b', 1), span('c', 'd', 2), span('d', 'c', 3)])
    expect(rows.map((row) => row.span.spanId).sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is a thousand spans deep', () => {
    const spans = Array.from({ length: 1_000 }, (_, index) =>
      span(`${index}`, index === 0 ? undefined : `${index - 1}`, 0),
    )
    expect(orderSpans(spans).at(-1)).toMatchObject({ depth: 999 })
  })

  it.each([
    [{ kind: 'server' }, 'server'],
    [{ kind: 'client' }, 'outgoing'],
    [{ kind: 'client', attributes: { 'db.system.name': 'postgresql' } }, 'database'],
    [{ kind: 'client', attributes: { 'messaging.system': 'kafka' } }, 'queue'],
    [{ kind: 'consumer' }, 'queue'],
    [{ kind: 'internal' }, 'internal'],
  ] as const)('shows %o as %s', (more, category) => {
    expect(orderSpans([span('a', undefined, 0, more)])[0]?.category).toBe(category)
  })

  it('is empty without spans', () => {
    expect(orderSpans([])).toEqual([])
  })
})
