import { onSettled } from '../../base/settled-work.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { Baggage } from '../../tracing/context/context-baggage.ts'
import type { Attributes, Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { failSpan } from '../database/spans/fail-span.ts'
import { attemptSpan, tracingNow } from '../tracing-now.ts'

/** Attributes of one or more messages, by OpenTelemetry's conventions. */
interface MessageCall {
  /** `messaging.system` */
  readonly system: string
  /** `messaging.operation.name`: the client's name of the operation. */
  readonly operation: string
  /** Source or target; `undefined` for several. */
  readonly destination?: string | undefined
  readonly attributes?: Attributes | undefined
}

/** Starts the span of sent messages, which carry its context. OpenTelemetry semantic conventions, messaging spans. */
export function startSendSpan(tracing: Tracing, call: MessageCall, kind: 'producer' | 'client' = 'producer'): Span {
  return tracing.startSpan(nameOf(call), { kind, attributes: attributesOf(call, 'send') })
}

/**
 * Processes messages in an active span, which ends when the work is done. The span is a child of the sender's span for
 * a single message, and linked to the senders for a batch.
 */
export function processMessages<R>(
  call: MessageCall,
  parent: TraceContext | undefined,
  links: readonly TraceContext[],
  baggage: Baggage | undefined,
  work: () => R,
): R {
  const tracing = tracingNow()
  if (tracing === undefined) return work()
  const span = attemptSpan(() =>
    // Without a sender it starts a new trace: the active context is that of the connection.
    tracing.startSpan(nameOf(call), {
      kind: 'consumer',
      attributes: attributesOf(call, 'process'),
      parent: parent ?? 'root',
      links,
      baggage,
    }),
  )
  return span === undefined ? work() : endWithWork(span, () => tracing.run(span, work, baggage))
}

/** Ends a span when the work is done. */
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
