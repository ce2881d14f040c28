import type { SnapshotSource } from 'upkeep/metrics'
import { expect } from 'vitest'
import { askOver } from './raw-client.ts'
import type { RecordedSpans } from './record-spans.ts'
import { requestsOf } from './request-counts.ts'

export interface ToldRequest {
  /** `uri method status` of the timer. */
  readonly timed: string
  readonly span: string
}

/** Asks an observed application one request at a time, and answers what that is told as. */
export function tellRequests(port: () => number, meters: SnapshotSource, spans: RecordedSpans) {
  return async (
    target: string,
    method = 'GET',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ToldRequest> => {
    const before = requestsOf(meters)
    const spansBefore = spans.all().length
    await askOver(port())({ target, method, headers })
    const changed = () => [...requestsOf(meters)].filter(([id, count]) => count !== (before.get(id) ?? 0))
    await expect.poll(() => [changed().length, spans.all().length - spansBefore]).toEqual([1, 1])
    const [timed = ''] = changed()[0] ?? []
    return { timed: timed.split(' ').slice(0, -2).join(' '), span: spans.all().at(-1)?.name ?? '' }
  }
}

/** What a request of a route is told as; without a template, by a word of its own. */
export function publicErrorOf(
  template: string | undefined,
  method: string,
  status: number,
  word = 'UNKNOWN',
): ToldRequest {
  return template === undefined
    ? { timed: `${word} ${method} ${status}`, span: method }
    : { timed: `${template} ${method} ${status}`, span: `${method} ${template}` }
}
