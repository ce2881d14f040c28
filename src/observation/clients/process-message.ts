import { contextIn, headersOf, type TraceHeaders } from './message-context.ts'
import { processMessages } from './message-span.ts'
import { tracingNow } from './tracing-now.ts'

/** A message that has come. */
export interface ReceivedMessage {
  /** What it came through, by OpenTelemetry's name: `nats`, `rabbitmq`, `aws_sqs`. */
  readonly system: string
  /** The queue, topic or subject. */
  readonly destination: string
  /** Its headers: an object of texts or bytes, or what has `get`. Names are as they were sent. */
  readonly headers?: Readonly<Record<string, unknown>> | { get(name: string): unknown } | null | undefined
}

/**
 * Runs what a message asks for in a span below the one that sent it, which ends when the work is done. For a client that
 * upkeep has no wrapper for, and for messages that are iterated over.
 */
export function processMessage<R>({ system, destination, headers }: ReceivedMessage, work: () => R): R {
  const header = (name: string): unknown => {
    if (headers == null) return undefined
    return typeof headers.get === 'function' ? headers.get(name) : (headers as Readonly<Record<string, unknown>>)[name]
  }
  return processMessages({ system, operation: 'process', destination }, contextIn(header), [], work)
}

/** The headers that a message needs for its receiver to continue the trace; none outside of a trace. */
export function traceHeaders(): Partial<TraceHeaders> {
  const span = tracingNow()?.activeSpan()
  return span === undefined ? {} : headersOf(span.context)
}
