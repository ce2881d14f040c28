import { isSecretName } from '../../../base/redaction.ts'
import { numberOf } from '../../top/top-sample.ts'

/** Returns a time in ISO 8601, `-` for what is no time. */
export function instant(milliseconds: unknown): string {
  const time = numberOf(milliseconds)
  return time === null || Math.abs(time) > 8.64e15 ? '-' : new Date(time).toISOString()
}

/** Returns a value as JSON, with values masked whose names may be those of secrets. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (name, each) => (isMasked(name, each) ? '***' : each)) ?? '-'
}

function isMasked(name: string, value: unknown): boolean {
  return isSecretName(name) && (typeof value === 'string' || typeof value === 'number')
}

/** Wider cells do not widen their column. */
const maxWidth = 60

/** Returns the rows of a table, the columns aligned; the last one may be of any width. */
export function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widthOf = (at: number) => Math.max(0, ...rows.map((row) => Math.min(maxWidth, row[at]?.length ?? 0)))
  const widths = rows[0]?.map((_, at) => widthOf(at)) ?? []
  const cell = (row: readonly string[], at: number) =>
    (row[at] ?? '').padEnd(at === row.length - 1 ? 0 : (widths[at] ?? 0))
  return rows.map((row) => row.map((_, at) => cell(row, at)).join('  '))
}
