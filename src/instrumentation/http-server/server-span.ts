import type { Span } from '../../tracing/span.ts'
import { aborted } from '../outcome.ts'
import { isKnownMethod, noException } from '../request-timers.ts'
import type { AnsweredResponse } from './ended-response.ts'

/**
 * Records the end of a request on its span, by OpenTelemetry's conventions; an aborted request has the error type
 * `aborted`. `status` is a status or `aborted`, `template` is `undefined` without a route, and `path` is redacted.
 */
export function describeEnd(
  span: Span,
  { req, headersSent, statusCode }: AnsweredResponse,
  status: number,
  template: string | undefined,
  path: string,
  exception: string,
  error: unknown,
): void {
  if (template !== undefined) span.rename(`${spanNameOf(req.method)} ${template}`)
  if (status >= 500 || status === aborted) {
    span.setAttributes({
      'url.path': path,
      'http.route': template,
      'http.response.status_code': status === aborted ? (headersSent ? statusCode : undefined) : status,
      'error.type': status === aborted ? 'aborted' : exception === noException ? String(status) : exception,
    })
    if (status !== aborted) span.fail(error)
  } else {
    span.setAttributes({ 'url.path': path, 'http.route': template, 'http.response.status_code': status })
  }
}

/** Returns the name of a span whose route is not known yet. */
export function spanNameOf(method = 'GET'): string {
  return isKnownMethod(method) ? method : 'HTTP'
}
