import type { LogFacts, LogsDocument } from '../documents.ts'

/** The records that the page keeps. */
const maxRecords = 1_000

/** The most records of one response. */
export const tailLimit = 500

/** A log record, and how many before it the page has not received. */
export interface TailRecord extends LogFacts {
  readonly omitted?: number | undefined
}

/**
 * Returns the records of a response before those that the page has, the latest first. Records between both that the
 * page did not receive are counted with the earliest of the new ones; with a filter, the number is an upper bound.
 *
 * @param after the sequence number of the latest record before; 0 if there was none
 */
export function mergeTail(
  before: readonly TailRecord[],
  { records }: Pick<LogsDocument, 'records'>,
  after: number,
  isFiltered: boolean,
): readonly TailRecord[] {
  const earliest = records.at(-1)
  if (earliest === undefined || after === 0) return [...records, ...before].slice(0, maxRecords)
  const between = earliest.sequence - after - 1
  // With a filter, those between need not match, unless the response had no place for more.
  const isGap = between > 0 && (!isFiltered || records.length >= tailLimit)
  const marked = isGap ? [...records.slice(0, -1), { ...earliest, omitted: between }] : records
  return [...marked, ...before].slice(0, maxRecords)
}
