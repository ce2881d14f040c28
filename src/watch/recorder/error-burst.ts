import { durationMilliseconds } from '../../base/duration.ts'
import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'
import type { Finding } from './capture.ts'
import { type ErrorFrames, readErrorFrames } from './error-frames.ts'
import type { ErrorBurstOptions } from './recorder-options.ts'

/** A request that failed, without what its client has sent. */
interface FailedRequest {
  readonly time: string
  readonly method: string
  readonly template: string | undefined
  readonly status: number
  readonly milliseconds: number
  readonly traceId: string | undefined
  readonly error: ErrorFrames | undefined
}

/** The failed requests that a report contains. */
const maxRequests = 50

/** A burst, and the document that is kept of it. */
interface BurstReport {
  readonly finding: Finding
  readonly document: object
}

/** What has to be known to find a burst. */
interface BurstContext {
  /** Milliseconds of monotonic time, and since the epoch. */
  readonly now: () => number
  readonly wallTime: () => number
  /** Called with each error of a burst; `describe` takes time, and is called only if the burst is captured. */
  readonly found: (describe: () => BurstReport) => void
}

/** Detects many errors in a short time. */
interface ErrorBurstRule {
  /** Called with each request that failed. */
  readonly requestFailed: (request: EndedRequest) => void
  /** Called with each log record of level error. */
  readonly errorLogged: () => void
}

/** Finds `count` failed requests, or as many log records of level error, within a duration. */
export function createErrorBurstRule(
  { count = 50, within = '10s' }: ErrorBurstOptions,
  { now, wallTime, found }: BurstContext,
): ErrorBurstRule {
  const milliseconds = durationMilliseconds(within, 'recorder.errorBurst.within')
  const failures = slidingWindow(count, milliseconds)
  const records = slidingWindow(count, milliseconds)
  const requests: FailedRequest[] = []

  const describe = (errors: string): BurstReport => {
    const reason = `${count} ${errors} within ${within}`
    const byKind = new Map<string, number>()
    for (const request of requests) {
      const kind = `${request.method} ${request.template ?? 'without a route'}: ${request.status}`
      byKind.set(kind, (byKind.get(kind) ?? 0) + 1)
    }
    const details = { count, errors, requests: Object.fromEntries(byKind) }
    return {
      finding: { rule: 'error-burst', time: wallTime(), reason, details },
      document: { ...details, requests: [...requests] },
    }
  }

  return {
    requestFailed(request) {
      requests.push(describeRequest(request, wallTime()))
      if (requests.length > maxRequests) requests.shift()
      if (failures(request.endedAt)) found(() => describe('requests failed'))
    },
    errorLogged() {
      if (records(now())) found(() => describe('errors were logged'))
    },
  }
}

/** Returns a function of the time of an event: whether it is the last of `count` within a duration. */
function slidingWindow(count: number, milliseconds: number): (now: number) => boolean {
  const times: number[] = []
  let next = 0
  return (now) => {
    times[next] = now
    next = next + 1 === count ? 0 : next + 1
    // What is overwritten next is the first of the last `count`.
    const first = times[next]
    return first !== undefined && now - first <= milliseconds
  }
}

function describeRequest(request: EndedRequest, time: number): FailedRequest {
  const { method, template, status, seconds, trace, error } = request
  return {
    time: new Date(time).toISOString(),
    method: method.slice(0, 32),
    template,
    status,
    milliseconds: Math.round(seconds * 1_000),
    traceId: trace?.traceId,
    error: error === undefined ? undefined : readErrorFrames(error),
  }
}
