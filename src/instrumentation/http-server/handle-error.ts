import type { Report } from '../../base/report.ts'
import { representationHeaders } from '../../http/error-response.ts'
import type { ManagementRequest, ManagementResponse } from '../../http/message.ts'
import { requireRequest } from '../../http/require-request.ts'
import { respondToError } from '../../http/respond-to-error.ts'
import { type ObservedMessage, recordError, reportedPath } from './observed-request.ts'

/** How the framework of an adapter handles the error of a request. */
export interface ErrorHandling<R> {
  /** Identifies the observed request: its response, or the `Request` of a fetch server. */
  readonly message: ObservedMessage
  /** Called with errors of the service itself (5xx), after the response. */
  readonly report: Report
  /** The error as the client may see it, if the framework has a separate form for that. @default the error */
  readonly publicError?: unknown
  /** Removes a field from the response in preparation. @default no field is removed */
  readonly removeHeader?: ((name: string) => void) | undefined
  readonly send: (response: ManagementResponse) => R
}

/**
 * Responds to a failed request with an error document, in place of the response in preparation; records the error in
 * the observation of the request, and reports it if it is the service's own. For adapters.
 */
export function handleError<R>(error: unknown, request: ManagementRequest, handling: ErrorHandling<R>): R {
  requireRequest('handleError', request)
  const { message, report, publicError = error, removeHeader, send } = handling
  recordError(message, error)
  const respond = (response: ManagementResponse): R => {
    for (const field of removeHeader === undefined ? [] : representationHeaders) removeHeader?.(field)
    return send(response)
  }
  const reportError: Report = (text) => report(text, error)
  return respondToError(publicError, request, reportError, respond, reportedPath(message, request.target))
}
