import { describe, expect, it } from 'vitest'
import type { LogFacts } from '../../../src/console/documents.ts'
import { mergeTail, tailLimit } from '../../../src/console/ui/tail-records.ts'

const record = (sequence: number): LogFacts => {
  const facts = { at: sequence, level: 'INFO', severity: 9, logger: 'orders', message: `${sequence}`, attributes: {} }
  return { sequence, ...facts }
}

/** Records from the latest to the earliest. */
const records = (latest: number, earliest: number) =>
  Array.from({ length: latest - earliest + 1 }, (_, at) => record(latest - at))

const marks = (merged: ReturnType<typeof mergeTail>) =>
  merged.flatMap(({ sequence, omitted }) => (omitted === undefined ? [] : [[sequence, omitted]]))

describe('the tail of the log', () => {
  it('has the latest records first, without a mark where none is missing', () => {
    const merged = mergeTail(records(9, 7), { records: records(12, 10) }, 9, false)
    expect(merged.map(({ sequence }) => sequence)).toEqual([12, 11, 10, 9, 8, 7])
    expect(marks(merged)).toEqual([])
  })

  it('marks the records that came between two responses and are in neither', () => {
    const merged = mergeTail(records(9, 7), { records: records(1_209, 710) }, 9, false)
    expect(marks(merged)).toEqual([[710, 700]])
  })

  it('keeps a mark when more records come, until it has been pushed out', () => {
    const marked = mergeTail(records(9, 9), { records: records(20, 15) }, 9, false)
    expect(marks(mergeTail(marked, { records: records(21, 21) }, 20, false))).toEqual([[15, 5]])
    expect(marks(mergeTail(marked, { records: records(1_100, 21) }, 20, false))).toEqual([])
  })

  it('marks records of a filter only where the response was full: the others need not match', () => {
    const few = [record(30), record(20)]
    expect(marks(mergeTail([record(9)], { records: few }, 9, true))).toEqual([])
    const full = records(999 + tailLimit, 1_000)
    expect(marks(mergeTail([record(9)], { records: full }, 9, true))).toEqual([[1_000, 990]])
  })

  it('does not mark what was before the first response', () => {
    expect(marks(mergeTail([], { records: records(900, 401) }, 0, false))).toEqual([])
  })

  it('keeps 1,000 records', () => {
    const merged = mergeTail(records(1_000, 1), { records: records(1_100, 1_001) }, 1_000, false)
    expect([merged.length, merged.at(-1)?.sequence]).toEqual([1_000, 101])
  })
})
