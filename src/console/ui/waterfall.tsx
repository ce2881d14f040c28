import { useMemo, useState } from 'preact/hooks'
import type { SpanFacts } from '../documents.ts'
import { formatSeconds } from './format.ts'
import { shownText } from './shown-text.ts'
import { orderSpans, type SpanCategory, type SpanRow } from './span-tree.ts'
import { type Column, Table } from './table.tsx'
import { Badge, Pairs } from './widgets.tsx'

const categories: readonly SpanCategory[] = ['server', 'internal', 'database', 'outgoing', 'queue']

/** Deeper spans are not indented further, so that their names can be read. */
const maxIndent = 12

/** The spans of a trace over time; a selected one is shown with its attributes. */
export function Waterfall(props: { readonly spans: readonly SpanFacts[] }) {
  const rows = useMemo(() => orderSpans(props.spans), [props.spans])
  const [selected, setSelected] = useState<string>()
  const span = props.spans.find(({ spanId }) => spanId === selected)
  const columns: readonly Column<SpanRow>[] = useMemo(
    () => [
      { name: 'name', title: 'Span', cell: (row) => <SpanName row={row} onSelect={setSelected} /> },
      { name: 'kind', title: 'Kind', cell: ({ category }) => category },
      {
        name: 'duration',
        title: 'Duration',
        isNumber: true,
        cell: ({ span: { seconds } }) => formatSeconds(seconds),
      },
      { name: 'bar', title: 'Time', isWide: true, cell: (row) => <Bar row={row} /> },
    ],
    [],
  )
  return (
    <>
      <p class="legend" aria-hidden="true">
        {categories.map((category) => (
          <span key={category}>
            <i class={`swatch span-${category}`} /> {category}
          </span>
        ))}
      </p>
      <Table
        label="Spans"
        rows={rows}
        columns={columns}
        keyOf={({ span: { spanId } }) => spanId}
        isSelected={({ span: { spanId } }) => spanId === selected}
        height={22}
      />
      {span === undefined ? null : (
        <section class="detail" aria-label="Selected span" aria-live="polite">
          <h3>{shownText(span.name, 300)}</h3>
          <Pairs of={{ span: span.spanId, parent: span.parentId ?? 'none', kind: span.kind, ...span.attributes }} />
        </section>
      )}
    </>
  )
}

function SpanName(props: { readonly row: SpanRow; readonly onSelect: (spanId: string) => void }) {
  const { span, depth } = props.row
  return (
    <span class="span-name" style={{ paddingLeft: `${Math.min(depth, maxIndent) * 0.8}em` }}>
      {depth > maxIndent ? <small class="quiet">{depth} deep</small> : null}
      <button type="button" class="plain" onClick={() => props.onSelect(span.spanId)}>
        {shownText(span.name, 300)}
      </button>
      {span.status === 'error' ? <Badge tone="bad">error</Badge> : null}
    </span>
  )
}

function Bar(props: { readonly row: SpanRow }) {
  const { start, width, category } = props.row
  const left = Math.min(Math.max(start, 0), 0.995)
  const style = { left: `${left * 100}%`, width: `${Math.min(width, 1 - left) * 100}%` }
  return (
    <span class="track" aria-hidden="true">
      <span class={`bar span-${category}`} style={style} />
    </span>
  )
}
