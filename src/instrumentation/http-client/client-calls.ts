import { createSafeCall, readOptionalString } from '../../base/callback.ts'
import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import { formatTraceparent } from '../../ids/trace-context/traceparent.ts'
import { baggageHeaders } from '../../tracing/context/carrier.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { errorType } from '../fail-span.ts'
import type { RedactPath } from '../http-server/path-redaction.ts'
import {
  type ClientRequest,
  createOriginReader,
  type HttpClientOptions,
  type OriginServer,
  type OutgoingRequest,
  recordedUrl,
} from './outgoing-request.ts'

interface ClientCallsParts extends HttpClientOptions {
  readonly clock: Clock
  readonly record: (request: ClientRequest) => void
  readonly report: Report
  /** Whether calls are traced, provided the process is. */
  readonly isTraced: boolean
  readonly redactPath: RedactPath
}

/** A request in progress. Calls after `end` have no effect. */
export interface ClientCall {
  answered(status: number): void
  failed(error: unknown): void
  end(): void
}

export interface ClientCalls {
  /**
   * Starts a call; passes its trace context and baggage to `addHeader`. Returns `undefined` if it is not observed.
   * A call that is traced elsewhere is only timed. `request.path` includes the query.
   */
  begin(
    request: OutgoingRequest,
    isTracedElsewhere: boolean,
    addHeader: (name: string, value: string) => void,
  ): ClientCall | undefined
}

/** Times and traces outgoing requests of all HTTP clients. */
export function createClientCalls(parts: ClientCallsParts): ClientCalls {
  const { clock, record, isTraced: mayBeTraced, redactPath, timed = true } = parts
  const serverOf = createOriginReader()
  const uri = safeOption('uri', parts)
  const clientName = safeOption('clientName', parts)
  return {
    begin(request, isTracedElsewhere, addHeader) {
      const tracing = currentTracing()
      if (tracing?.isSuppressed()) return undefined
      const isTraced = mayBeTraced && tracing !== undefined && !isTracedElsewhere
      if (!isTraced && !timed) return undefined
      const server = serverOf(request.origin)
      const told = uri === undefined && clientName === undefined ? request : withoutQuery(request)
      const template = uri?.(told)
      const span = isTraced ? startCallSpan(tracing, request, server, template, redactPath) : undefined
      if (span !== undefined) inject(span, addHeader)
      const name = clientName?.(told) ?? server.address
      return new TracedCall(
        span,
        timed ? { clock, record, clientName: name, server, template, method: request.method } : undefined,
      )
    },
  }
}

/**
 * Wraps an option that returns a string or `undefined`. The first failure is reported; a failed call returns
 * `undefined`.
 */
function safeOption(
  option: 'uri' | 'clientName',
  { report, [option]: callback }: ClientCallsParts,
): ((request: OutgoingRequest) => string | undefined) | undefined {
  if (callback === undefined) return undefined
  const failed = (error: unknown) => report(`instrument: ${option} failed and is ignored`, error)
  const call = createSafeCall<[OutgoingRequest], string | undefined>(readOptionalString, failed)
  return (request) => call(callback, request)
}

/** Callbacks receive the path without its query and fragment. */
function withoutQuery({ path, ...rest }: OutgoingRequest): OutgoingRequest {
  return { ...rest, path: path.split(/[?#]/, 1)[0] ?? path }
}

/** OpenTelemetry semantic conventions, HTTP client spans. */
function startCallSpan(
  tracing: Tracing,
  { method, path }: OutgoingRequest,
  server: OriginServer,
  template: string | undefined,
  redactPath: RedactPath,
): Span {
  const isKnown = isKnownMethod(method)
  const word = isKnown ? method : 'HTTP'
  const span = tracing.startSpan(template === undefined ? word : `${word} ${template}`, {
    kind: 'client',
    attributes: {
      'http.request.method': isKnown ? method : '_OTHER',
      'server.address': server.address,
      'server.port': server.port,
    },
  })
  if (span.isRecording) {
    span.setAttributes({
      'url.full': recordedUrl(server, path, (segments) => redactPath(segments, template)),
      'url.template': template,
      'http.request.method_original': isKnown ? undefined : method,
    })
  }
  return span
}

function inject(span: Span, addHeader: (name: string, value: string) => void): void {
  const { context } = span
  addHeader('traceparent', formatTraceparent(context))
  if (context.tracestate !== undefined) addHeader('tracestate', context.tracestate)
  const { baggage } = baggageHeaders()
  if (baggage !== undefined) addHeader('baggage', baggage)
}

interface Timing {
  readonly clock: Clock
  readonly record: (request: ClientRequest) => void
  readonly clientName: string
  readonly server: OriginServer
  readonly template: string | undefined
  readonly method: string
}

class TracedCall implements ClientCall {
  readonly #span: Span | undefined
  readonly #timing: Timing | undefined
  readonly #startedAt: number
  #status: number | undefined = undefined
  #error: unknown = undefined
  #isOver = false

  constructor(span: Span | undefined, timing: Timing | undefined) {
    this.#span = span
    this.#timing = timing
    this.#startedAt = timing?.clock.monotonicTime() ?? 0
  }

  answered(status: number): void {
    this.#status ??= status
  }

  failed(error: unknown): void {
    this.#error ??= error
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#timing !== undefined) this.#recordTime(this.#timing)
    if (this.#span !== undefined) this.#endSpan(this.#span)
  }

  #recordTime({ clock, record, clientName, server, template, method }: Timing): void {
    const seconds = (clock.monotonicTime() - this.#startedAt) / 1_000
    const { address, port } = server
    record({ clientName, address, port, template, method, status: this.#status, error: this.#error, seconds })
  }

  #endSpan(span: Span): void {
    const status = this.#status
    const isRefused = status !== undefined && status >= 400
    if (span.isRecording) {
      const refusal = isRefused ? String(status) : undefined
      span.setAttributes({
        'http.response.status_code': status,
        'error.type': this.#error === undefined ? refusal : errorType(this.#error),
      })
    }
    if (this.#error !== undefined) span.fail(this.#error)
    else if (isRefused) span.fail(undefined)
    span.end()
  }
}
