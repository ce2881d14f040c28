/** What the endpoint `captures` returns. */
export interface CapturesDocument {
  readonly captures: readonly Capture[]
  readonly suppressed: number
  readonly dropped: number
}

/** A capture of the flight recorder. */
export interface Capture {
  readonly id: string
  readonly rule: string
  readonly time: string
  readonly reason: string
  readonly type: 'wall' | 'heap' | 'report'
  readonly bytes: number
  readonly details?: Readonly<Record<string, unknown>>
}

interface TimedRequest {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  readonly seconds: number
  readonly traceId?: string | undefined
}

/** Returns the captures of the request itself, by its trace, and of blocks of the event loop while it was in progress. */
export function capturesOf(captures: readonly Capture[], { at, seconds, traceId }: TimedRequest): readonly Capture[] {
  return captures.filter(({ rule, time, details = {} }) => {
    if (rule !== 'blocked-loop') return traceId !== undefined && details['traceId'] === traceId
    const began = Date.parse(time)
    return began <= at + seconds * 1_000 && began + Number(details['blockedMilliseconds'] ?? 0) >= at
  })
}
