import type { ServerResponse } from 'node:http'
import type { Span } from '../tracing/span.ts'
import { aborted } from './outcome.ts'
import { isKnownMethod, noException } from './request-timers.ts'

/** How a request ended. */
export interface RequestEnd {
  /** A status, or `aborted`. */
  readonly status: number
  /** The template of its route; `undefined` where it has none. */
  readonly template: string | undefined
  readonly exception: string
  readonly error: unknown
}

/** Tells the span of a request how that ended: by OpenTelemetry's conventions, and of one that was cut off `aborted`. */
export function describeEnd(span: Span, { req, headersSent, statusCode }: ServerResponse, end: RequestEnd): void {
  const { status, template, exception, error } = end
  const isFailed = status >= 500
  const reason = status === aborted ? 'aborted' : exception === noException ? String(status) : exception
  if (template !== undefined) span.rename(`${spanNameOf(req.method)} ${template}`)
  span.setAttributes({
    'http.route': template,
    'http.response.status_code': status === aborted ? (headersSent ? statusCode : undefined) : status,
    'error.type': isFailed || status === aborted ? reason : undefined,
  })
  if (isFailed) span.fail(error)
}

/** What a span is called as long as its route is not known. */
export function spanNameOf(method = 'GET'): string {
  return isKnownMethod(method) ? method : 'HTTP'
}
