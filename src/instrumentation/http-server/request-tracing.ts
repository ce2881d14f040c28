import type { Clock } from '../../base/clock.ts'
import { addBaggageAttributes } from '../../tracing/context/current-baggage.ts'
import { baggageIn, traceContextOf } from '../../tracing/context/received-context.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import { heldRequestOf } from '../../tracing/spans/bridged-span.ts'
import type { ServerSpanDescription, Tracing } from '../../tracing/tracing.ts'
import type { RequestView } from './exchange-view.ts'
import type { RedactPath } from './path-redaction.ts'
import type { ObservedRequest } from './request-record.ts'
import { ServerAttributes } from './server-attributes.ts'
import { describeEnd, spanNameOf } from './server-span.ts'
import { targetOf } from './target-of.ts'

interface RequestTracingParts {
  readonly clock: Clock
  /** Whether requests are traced, provided the process is. */
  readonly isTraced: boolean
  readonly isManagement: ((target: string) => boolean) | undefined
  readonly redactPath: RedactPath
}

/** Starts the spans of requests. */
export class RequestTracing {
  readonly #clock: Clock
  readonly #isTraced: boolean
  readonly #description: ServerSpanDescription<RequestView>

  constructor({ clock, isTraced, isManagement, redactPath }: RequestTracingParts) {
    this.#clock = clock
    this.#isTraced = isTraced
    this.#description = {
      isExcluded: (request) => isManagement?.(targetOf(request)) === true,
      name: ({ method }) => spanNameOf(method),
      attributes: (request) => new ServerAttributes(request, redactPath),
    }
  }

  /** Runs a function in the span of a request, if that is traced. */
  run<R>(request: ObservedRequest, received: RequestView, next: () => R): R {
    const tracing = this.#tracingFor(request)
    return tracing === undefined
      ? next()
      : tracing.runRequest(this.#start(tracing, request, received), next, request.baggage)
  }

  /** Makes the span of a request active for the rest of the asynchronous flow, if it is traced. */
  enter(request: ObservedRequest, received: RequestView): void {
    const tracing = this.#tracingFor(request)
    if (tracing === undefined) return
    tracing.leaveRequest()
    tracing.enterRequest(this.#start(tracing, request, received), request.baggage)
  }

  #start(tracing: Tracing, request: ObservedRequest, received: RequestView) {
    // With the same clock, both share their time stamps.
    request.isTimedAsSpan = tracing.clock === this.#clock
    const startedAt = request.isTimedAsSpan ? request.startedAt : undefined
    const { rawHeaders } = received
    const span = tracing.startServerSpan(traceContextOf(rawHeaders), received, this.#description, startedAt)
    request.span = span
    request.baggage = baggageIn(rawHeaders)
    if (request.baggage !== undefined) addBaggageAttributes(span, request.baggage)
    return span
  }

  /** Returns the tracing of the process, unless another management traces the request already. */
  #tracingFor(request: ObservedRequest): Tracing | undefined {
    return this.#isTraced && request.next?.span === undefined ? currentTracing() : undefined
  }
}

/** Describes and ends the span of a request that has ended. */
export function endSpan(request: ObservedRequest): void {
  const { span } = request
  if (span === undefined) return
  if (span.isRecording) describeEnd(span, request)
  // Before the span ends, which is then exported or dropped at once.
  heldRequestOf(span)?.end(failureOf(request), request.seconds * 1_000)
  span.end(request.isTimedAsSpan ? request.endedAt : undefined)
}

/** An error that was thrown after a successful status had been sent is a failure, too. */
function failureOf({ isAborted, status, error }: ObservedRequest): 'failed' | 'aborted' | undefined {
  if (isAborted) return 'aborted'
  return status >= 500 || (status < 300 && error !== undefined) ? 'failed' : undefined
}
