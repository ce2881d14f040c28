import { onSettled } from '../../base/settled-work.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import { extractBaggage, extractTraceContext, type TraceCarrier } from '../../tracing/context/carrier.ts'
import type { Baggage } from '../../tracing/context/context-baggage.ts'
import type { Attributes, Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { beginMessagingCall, type EndOperation, hasMessagingRecorders } from '../client-operations.ts'
import { failSpan } from '../fail-span.ts'
import { attempt } from '../safely.ts'
import { tracingNow } from '../tracing-now.ts'

/** Attributes of one or more messages, by OpenTelemetry's conventions. */
interface MessageCall {
  /** `messaging.system` */
  readonly system: string
  /** `messaging.operation.name`: the client's name of the operation. */
  readonly operation: string
  /** Source or target; `undefined` for several. */
  readonly destination?: string | undefined
  /** The destination for meters, without the parts that differ from message to message. @default `destination` */
  readonly group?: string | undefined
  readonly server?: MessageServer | undefined
  /** Number of messages. @default 1 */
  readonly messages?: number | undefined
  readonly attributes?: Attributes | undefined
}

interface MessageServer {
  readonly address: string | undefined
  readonly port: number | undefined
}

/** What ends when messages are sent or processed. */
export interface ObservedMessages {
  readonly span: Span | undefined
  readonly end: EndOperation | undefined
}

/**
 * Starts to observe the sending of messages, which carry the context of the span. Returns `undefined` if they are
 * neither traced nor timed, or cannot be described. OpenTelemetry semantic conventions, messaging spans.
 */
export function beginSend(
  tracing: Tracing | undefined,
  describe: () => MessageCall,
  kind: 'producer' | 'client' = 'producer',
): ObservedMessages | undefined {
  if (tracing === undefined && !hasMessagingRecorders()) return undefined
  try {
    const call = describe()
    const attributes = attributesOf(call, 'send')
    return { span: tracing?.startSpan(nameOf(call), { kind, attributes }), end: beginTiming(call, 'send') }
  } catch {
    return undefined
  }
}

/** Where messages come from. */
interface MessageSenders {
  readonly parent: TraceContext | undefined
  readonly links: readonly TraceContext[]
  readonly baggage: Baggage | undefined
}

/** Returns the sender of a single message. */
export function senderIn(headers: TraceCarrier): MessageSenders {
  return { parent: extractTraceContext(headers), links: [], baggage: extractBaggage(headers) }
}

/**
 * Processes messages in an active span, which ends when the work is done, and times them. `isTraced` is `false` if
 * another instrumentation traces them.
 */
export function processMessages<R>(call: MessageCall, senders: MessageSenders, work: () => R, isTraced: boolean): R {
  const tracing = isTraced ? tracingNow() : undefined
  const observed = beginProcess(tracing, call, senders)
  const { span, end } = observed
  if (span === undefined && end === undefined) return work()
  return endWithWork(observed, () => (tracing && span ? tracing.run(span, work, senders.baggage) : work()))
}

/**
 * Starts to observe the processing of messages. The span is a child of the sender's span for a single message, and
 * linked to the senders for a batch.
 */
export function beginProcess(
  tracing: Tracing | undefined,
  call: MessageCall,
  { parent, links, baggage }: MessageSenders,
): ObservedMessages {
  const span =
    tracing &&
    attempt(() =>
      // Without a sender it starts a new trace: the active context is that of the connection.
      tracing.startSpan(nameOf(call), {
        kind: 'consumer',
        attributes: attributesOf(call, 'process'),
        parent: parent ?? 'root',
        links,
        baggage,
      }),
    )
  return { span, end: beginTiming(call, 'process') }
}

/** Ends the observation when the work is done. */
export function endWithWork<R>(observed: ObservedMessages, work: () => R): R {
  return onSettled(work, (failed, error) => endMessages(observed, failed ? (error ?? new Error('failed')) : undefined))
}

/** Ends the observation, with the error if sending or processing failed. */
export function endMessages({ span, end }: ObservedMessages, error?: unknown): void {
  if (span !== undefined && error != null) failSpan(span, error)
  span?.end()
  end?.(error)
}

function beginTiming(call: MessageCall, type: 'send' | 'process'): EndOperation | undefined {
  const { system, operation, destination, group = destination, server } = call
  return beginMessagingCall({
    system,
    type,
    operation,
    destination: group,
    ...server,
    // Read at the end: the number of messages may not be known before.
    get messages() {
      return call.messages ?? 1
    },
  })
}

function nameOf({ operation, destination }: MessageCall): string {
  return destination === undefined ? operation : `${operation} ${destination}`
}

function attributesOf(
  { system, operation, destination, server, attributes }: MessageCall,
  type: 'send' | 'process',
): Attributes {
  return {
    'messaging.system': system,
    'messaging.operation.name': operation,
    'messaging.operation.type': type,
    'messaging.destination.name': destination,
    'server.address': server?.address,
    'server.port': server?.port,
    ...attributes,
  }
}
