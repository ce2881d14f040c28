import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import type { Span } from '../../tracing/span.ts'
import { noException } from '../request-tags.ts'
import type { EndedRequest } from './ended-request.ts'

/**
 * Sets the attributes of the span of an ended request by OpenTelemetry's conventions; `error.type` is `aborted` for a
 * response that was cut off.
 */
export function describeEnd(span: Span, request: EndedRequest): void {
  const { template, path, status, sentStatus, isAborted, exception, error } = request
  if (template !== undefined) span.rename(`${spanNameOf(request.method)} ${template}`)
  if (status >= 500 || isAborted) {
    span.setAttributes({
      'url.path': path,
      'http.route': template,
      'http.response.status_code': isAborted ? sentStatus : status,
      'error.type': isAborted ? 'aborted' : exception === noException ? String(status) : exception,
    })
    if (!isAborted) span.fail(error)
  } else {
    span.setAttributes({ 'url.path': path, 'http.route': template, 'http.response.status_code': status })
  }
}

/** Returns the name of a span whose route is not known yet. */
export function spanNameOf(method = 'GET'): string {
  return isKnownMethod(method) ? method : 'HTTP'
}
