import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

/** A column of a table. */
export interface Column<Row> {
  readonly name: string
  readonly title: string
  readonly isNumber?: boolean
  /** The value to sort by. Default: the column cannot be sorted. */
  readonly sort?: (row: Row) => string | number | null
  readonly cell: (row: Row) => ComponentChildren
  /** Takes the space that the others leave. */
  readonly isWide?: boolean
}

interface TableProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly sortedBy?: { readonly column: string; readonly isAscending: boolean }
  readonly isSelected?: (row: Row) => boolean
  /** The most rows that are visible at a time. */
  readonly height?: number
  readonly empty?: string
}

/** The height of a row in pixels, that of the style sheet. */
const rowHeight = 30
const overscan = 12

/** A table that can be sorted, and renders only the rows that are visible. */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, columns, keyOf, height = 18 } = props
  const [sortedBy, setSortedBy] = useState(props.sortedBy)
  const [first, setFirst] = useState(0)
  const region = useRef<HTMLDivElement>(null)
  const sorted = useMemo(() => sortRows(rows, columns, sortedBy), [rows, columns, sortedBy])
  const shown = Math.min(height, Math.max(sorted.length, 1))
  const from = Math.max(0, Math.min(first, sorted.length - shown) - overscan)
  const to = Math.min(sorted.length, from + shown + 2 * overscan)

  useLayoutEffect(() => {
    if (region.current) region.current.style.maxHeight = `${(shown + 1) * rowHeight + 18}px`
  }, [shown])
  useEffect(() => {
    if (region.current) setFirst(Math.floor(region.current.scrollTop / rowHeight))
  }, [sorted.length])

  const onScroll = () => {
    const next = Math.floor((region.current?.scrollTop ?? 0) / rowHeight)
    // Between these, the rows that are rendered are enough.
    if (Math.abs(next - first) >= overscan / 2 || next === 0) setFirst(next)
  }
  if (sorted.length === 0) return <p class="quiet">{props.empty ?? 'None.'}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
    <section class="scroll" ref={region} onScroll={onScroll} tabIndex={0} aria-label={`${props.label} (table)`}>
      <table aria-rowcount={sorted.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.name} column={column} sortedBy={sortedBy} onSort={setSortedBy} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={from} columns={columns.length} />
          {sorted.slice(from, to).map((row, at) => (
            <tr
              key={keyOf(row)}
              aria-rowindex={from + at + 2}
              class={props.isSelected?.(row) ? 'selected' : undefined}
              aria-current={props.isSelected?.(row) ? 'true' : undefined}
            >
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Spacer rows={sorted.length - to} columns={columns.length} />
        </tbody>
      </table>
    </section>
  )
}

function Head<Row>(props: {
  readonly column: Column<Row>
  readonly sortedBy: TableProps<Row>['sortedBy']
  readonly onSort: (by: NonNullable<TableProps<Row>['sortedBy']>) => void
}) {
  const { column, sortedBy, onSort } = props
  if (column.sort === undefined) {
    return (
      <th scope="col" class={classOf(column)}>
        {column.title}
      </th>
    )
  }
  const isSorted = sortedBy?.column === column.name
  const direction = sortedBy?.isAscending ? 'ascending' : 'descending'
  const sort = () => onSort({ column: column.name, isAscending: isSorted ? !sortedBy.isAscending : !column.isNumber })
  return (
    <th scope="col" class={classOf(column)} aria-sort={isSorted ? direction : 'none'}>
      <button type="button" onClick={sort}>
        {column.title}
        <span aria-hidden="true">{isSorted ? (sortedBy.isAscending ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </th>
  )
}

/** The space of rows that are not rendered. */
function Spacer(props: { readonly rows: number; readonly columns: number }) {
  if (props.rows <= 0) return null
  return (
    <tr class="spacer">
      <td colSpan={props.columns} style={{ height: `${props.rows * rowHeight}px` }} />
    </tr>
  )
}

function classOf({ isNumber, isWide }: { readonly isNumber?: boolean; readonly isWide?: boolean }): string {
  return [isNumber ? 'number' : '', isWide ? 'wide' : ''].join(' ').trim()
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  by: TableProps<Row>['sortedBy'],
): readonly Row[] {
  const sort = columns.find(({ name }) => name === by?.column)?.sort
  if (sort === undefined || by === undefined) return rows
  const sign = by.isAscending ? 1 : -1
  return rows
    .map((row) => ({ row, value: sort(row) }))
    .sort((a, b) => {
      // What has no value comes last.
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return a.value < b.value ? -sign : a.value > b.value ? sign : 0
    })
    .map(({ row }) => row)
}
