import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'
import type { Finding } from './capture.ts'

/** Returns the finding that a request took too long; `undefined` for a stream of events. */
export function findSlowRequest(request: EndedRequest, wallTime: () => number): Finding | undefined {
  if (isEventStream(request)) return undefined
  const { template, status, isAborted, trace } = request
  const method = request.method.slice(0, 32)
  const milliseconds = Math.round(request.seconds * 1_000)
  return {
    rule: 'slow-request',
    time: wallTime() - milliseconds,
    reason: `${method} ${template ?? '(without a route)'} took ${milliseconds}ms`,
    details: {
      method,
      template,
      milliseconds,
      status: isAborted ? request.sentStatus : status,
      isAborted,
      traceId: trace?.traceId,
    },
  }
}

/** Events are sent for as long as the client listens. A field that is only passed to `writeHead` is not known. */
function isEventStream(request: EndedRequest): boolean {
  const fields = [request.responseHeader('content-type'), request.requestHeader('accept')]
  return fields.some((field) => field?.startsWith('text/event-stream'))
}
