import { useLive } from './hooks.ts'
import { shownText } from './shown-text.ts'
import type { Column } from './table.tsx'

interface MemberRow {
  readonly member?: string | undefined
}

/** Returns columns, with one for the member of each row where rows of all members are shown. */
export function withMember<Row extends MemberRow>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  if (rows[0]?.member === undefined) return columns
  const column: Column<Row> = { name: 'member', title: 'Member', cell: ({ member }) => shownText(member ?? '', 60) }
  return [...columns.slice(0, 1), column, ...columns.slice(1)]
}

/** States that what an endpoint shows is not of the selected member. */
export function OfResponder() {
  const members = useLive().overview?.members ?? []
  if (members.length < 2) return null
  return <p class="quiet">Of the member that responds, whichever member is selected.</p>
}
