import type { SnapshotSource } from 'upkeep/metrics'
import { expect } from 'vitest'
import { createRawClient } from './raw-client.ts'
import type { RecordedSpans } from './record-spans.ts'
import { requestCounts } from './request-counts.ts'

export interface RecordedRequest {
  /** `uri method status` of the timer. */
  readonly timed: string
  readonly span: string
}

/** Sends requests to an observed application one at a time, and returns the series and the span of each. */
export function recordRequests(port: () => number, meters: SnapshotSource, spans: RecordedSpans) {
  return async (
    target: string,
    method = 'GET',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RecordedRequest> => {
    const before = requestCounts(meters)
    const spansBefore = spans.all().length
    await createRawClient(port())({ target, method, headers })
    const changed = () => [...requestCounts(meters)].filter(([id, count]) => count !== (before.get(id) ?? 0))
    await expect.poll(() => [changed().length, spans.all().length - spansBefore]).toEqual([1, 1])
    const [timed = ''] = changed()[0] ?? []
    return { timed: timed.split(' ').slice(0, -2).join(' '), span: spans.all().at(-1)?.name ?? '' }
  }
}

/** Returns the expected series and span of a request; without a template, `word` is the tag `uri`. */
export function expectedRecord(
  template: string | undefined,
  method: string,
  status: number,
  word = 'UNKNOWN',
): RecordedRequest {
  return template === undefined
    ? { timed: `${word} ${method} ${status}`, span: method }
    : { timed: `${template} ${method} ${status}`, span: `${method} ${template}` }
}
