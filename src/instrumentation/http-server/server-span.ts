import type { Span } from '../../tracing/span.ts'
import { aborted } from '../outcome.ts'
import { isKnownMethod, noException } from '../request-timers.ts'
import type { AnsweredResponse } from './ended-response.ts'

/**
 * Tells the span of a request how that ended: by OpenTelemetry's conventions, and of one that was cut off `aborted`. `status`
 * is a status, or `aborted`; a request without a route has no `template`, and `path` is redacted by that.
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

/** What a span is called as long as its route is not known. */
export function spanNameOf(method = 'GET'): string {
  return isKnownMethod(method) ? method : 'HTTP'
}
