import { redactPath } from '../base/redact-path.ts'
import { contain, type Report } from '../base/report.ts'
import { mountPathOf, pathOf } from './conventions/target.ts'
import { errorResponse } from './error-response.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'

/**
 * Calls `respond` with the error document of a failed request, and then `report` where the failure is the service's own
 * (a 5xx), by `path` where that is known better than by the target. Returns what `respond` returns. A `report` that throws or rejects is ignored: the client has its response.
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
    if (response.status >= 500) contain(report)(failureOf(request, path), error)
  }
}

/**
 * Returns the message by which a failed request is reported: its method and its path, without the query and without what
 * could be a secret.
 */
export function failureOf(
  { method, base, target }: ManagementRequest,
  path: string = redactPath(pathOf(target)),
): string {
  return `${method} ${redactPath(mountPathOf(base))}${path} failed`
}
