import { redactPath } from '../base/redact-path.ts'
import { contain, type Report } from '../base/report.ts'
import { mountPathOf, pathOf, segmentsOf } from './conventions/target.ts'
import { errorResponse } from './error-response.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import type { Router } from './router.ts'

/**
 * Calls `respond` with the error document of a failed request, then `report` if the failure is the service's own (a
 * 5xx). `path` is the path to report, by default that of the target. Returns what `respond` returns. A `report` that
 * throws or rejects is ignored: the client has its response. An operation that was aborted because the client
 * disconnected is not reported.
 */
export function respondToError<R>(
  error: unknown,
  request: ManagementRequest,
  report: Report,
  respond: (response: ManagementResponse) => R,
  path?: string,
): R {
  const response = errorResponse(error, request)
  try {
    return respond(response)
  } finally {
    if (response.status >= 500 && !isAbandoned(error, request)) contain(report)(failureMessage(request, path), error)
  }
}

/** Whether an operation stopped only because the client disconnected, which is not reported. */
export function isAbandoned(error: unknown, request: ManagementRequest): boolean {
  return error instanceof Error && error.name === 'AbortError' && request.signal?.aborted === true
}

/**
 * Returns the message that reports a failed request: its method and its path, without the query and without secrets.
 */
export function failureMessage(
  { method, base, target }: ManagementRequest,
  path: string = redactPath(pathOf(target)),
): string {
  return `${method} ${redactPath(mountPathOf(base))}${path} failed`
}

/** Returns the whole path of a request for a report, without secrets; `path` is the part of it that is routed here. */
export function routedPath({ target }: ManagementRequest, path: string, router: Router): string {
  const whole = pathOf(target)
  const match = router(segmentsOf(path) ?? [])
  const before = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : ''
  return before + redactPath(path, match && `/${match.path}`)
}
