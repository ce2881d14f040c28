import { onSettled } from '../../base/settled-work.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { Attributes, Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { failSpan } from '../database/spans/fail-span.ts'
import { attemptSpan, tracingNow } from '../tracing-now.ts'

/** What is told of one or several messages, in OpenTelemetry's words. */
export interface MessageCall {
  /** `messaging.system` */
  readonly system: string
  /** `messaging.operation.name`: what the client calls it. */
  readonly operation: string
  /** Where to or from; unknown where it is more than one. */
  readonly destination?: string | undefined
  readonly attributes?: Attributes | undefined
}

/** Begins the span of messages that are sent; they carry its context. OpenTelemetry semantic conventions, messaging spans. */
export function startSendSpan(tracing: Tracing, call: MessageCall, kind: 'producer' | 'client' = 'producer'): Span {
  return tracing.startSpan(nameOf(call), { kind, attributes: attributesOf(call, 'send') })
}

/**
 * Processes messages: with a span of its own active, which ends when the work is done. It is below what a message was sent
 * by where it came alone, and else linked to what each was sent by.
 */
export function processMessages<R>(
  call: MessageCall,
  parent: TraceContext | undefined,
  links: readonly TraceContext[],
  work: () => R,
): R {
  const tracing = tracingNow()
  if (tracing === undefined) return work()
  const span = attemptSpan(() =>
    // Without a trace of its own it begins one: what is active here is where the connection was made.
    tracing.startSpan(nameOf(call), {
      kind: 'consumer',
      attributes: attributesOf(call, 'process'),
      parent: parent ?? 'root',
      links,
    }),
  )
  return span === undefined ? work() : endWithWork(span, () => tracing.run(span, work))
}

/** Ends a span when work is done that has begun or is to be. */
export function endWithWork<R>(span: Span, work: () => R): R {
  return onSettled(work, (failed, error) => {
    if (failed) failSpan(span, error)
    span.end()
  })
}

function nameOf({ operation, destination }: MessageCall): string {
  return destination === undefined ? operation : `${operation} ${destination}`
}

function attributesOf(
  { system, operation, destination, attributes }: MessageCall,
  type: 'send' | 'process',
): Attributes {
  return {
    'messaging.system': system,
    'messaging.operation.name': operation,
    'messaging.operation.type': type,
    'messaging.destination.name': destination,
    ...attributes,
  }
}
