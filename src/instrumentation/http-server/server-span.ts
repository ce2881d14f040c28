import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import type { Span } from '../../tracing/span.ts'
import type { NativeSpan } from '../../tracing/spans/native-span.ts'
import { noException } from '../request-tags.ts'
import type { EndedRequest } from './ended-request.ts'
import { ServerAttributes } from './server-attributes.ts'

/**
 * Completes the attributes of the span of an ended request by OpenTelemetry's conventions; `error.type` is `aborted`
 * for a response that was cut off.
 */
export function describeEnd(span: Span, request: EndedRequest): void {
  const { template, status, isAborted, exception, error } = request
  if (template !== undefined) span.rename(`${spanNameOf(request.method)} ${template}`)
  const shownStatus = isAborted ? request.sentStatus : status
  const errorType = isAborted ? 'aborted' : status >= 500 ? errorTypeOf(exception, status) : undefined
  const { initialAttributes } = span as Partial<NativeSpan>
  if (initialAttributes instanceof ServerAttributes) initialAttributes.end(template, shownStatus, errorType)
  else {
    const { path } = request
    span.setAttributes({
      ...{ 'url.path': path, 'http.route': template, 'http.response.status_code': shownStatus },
      ...(errorType !== undefined && { 'error.type': errorType }),
    })
  }
  if (status >= 500) span.fail(error)
}

function errorTypeOf(exception: string, status: number): string {
  return exception === noException ? String(status) : exception
}

/** Returns the name of a span whose route is not known yet. */
export function spanNameOf(method = 'GET'): string {
  return isKnownMethod(method) ? method : 'HTTP'
}
