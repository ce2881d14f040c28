import { traceHeadersOf } from '../../tracing/context/carrier.ts'
import type { Attributes } from '../../tracing/span.ts'
import { isWrapped } from '../official.ts'
import { overlay } from '../overlay.ts'
import { captureContext, tracingNow } from '../tracing-now.ts'
import { beginSend, endMessages, processMessages, senderIn } from './message-span.ts'

/** An amqplib channel, with promises or callbacks, with or without confirmations. */
export interface TraceableChannel {
  publish(exchange: string, routingKey: string, content: Buffer, ...rest: never[]): boolean
  sendToQueue(queue: string, content: Buffer, ...rest: never[]): boolean
  consume(queue: string, onMessage: never, ...rest: never[]): unknown
}

interface Options {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly messageId?: string
  readonly correlationId?: string
}

interface Message {
  readonly fields: { readonly exchange: string; readonly routingKey: string }
  readonly properties: Options
}

type Call = (...args: readonly unknown[]) => unknown

/**
 * Wraps an amqplib channel so that its messages are traced, and timed by every management of the process. `publish` and
 * `sendToQueue` create spans whose context the messages carry; with a callback on a confirm channel they end with the
 * confirmation. `consume` processes each message in a child span of its sender, until the result of the callback
 * settles. The result has the same type, and all other members are unchanged. Creates no spans while OpenTelemetry's
 * instrumentation of amqplib is active.
 */
export function tracedChannel<C extends TraceableChannel>(channel: C): C {
  const publish = channel.publish.bind(channel) as Call
  const consume = channel.consume.bind(channel) as Call
  const isTracedElsewhere = () => isWrapped(channel.publish) || isWrapped(channel.consume)

  const send = (exchange: unknown, routingKey: unknown, content: unknown, options?: Options, confirmed?: unknown) => {
    const tracing = isTracedElsewhere() ? undefined : tracingNow()
    const observed = beginSend(tracing, () => ({
      system: 'rabbitmq',
      operation: 'publish',
      destination: joined(exchange, routingKey),
      group: groupOf(exchange, routingKey),
      server: serverOf(channel),
      attributes: told(routingKey, options),
    }))
    const rest = confirmed === undefined ? [] : [confirmed]
    if (observed === undefined) return publish(exchange, routingKey, content, options, ...rest)
    const { span } = observed
    const carrying = span ? { ...options, headers: { ...options?.headers, ...traceHeadersOf(span.context) } } : options
    const finish = (error: unknown) => endMessages(observed, error)
    const isAwaited = typeof confirmed === 'function'
    const onConfirmed = () => {
      const inContext = span === undefined ? undefined : captureContext()
      return (error: unknown, ...answer: readonly unknown[]) => {
        finish(error)
        const callback = confirmed as Call
        return inContext === undefined ? callback(error, ...answer) : inContext(callback, error, ...answer)
      }
    }
    try {
      const result = publish(exchange, routingKey, content, carrying, ...(isAwaited ? [onConfirmed()] : rest))
      if (!isAwaited) finish(undefined)
      return result
    } catch (error) {
      finish(error)
      throw error
    }
  }

  return overlay(channel, {
    publish: send,
    sendToQueue: (queue: unknown, content: unknown, options?: Options, confirmed?: unknown) =>
      send('', queue, content, options, confirmed),
    consume(queue: unknown, onMessage: unknown, ...rest: readonly unknown[]) {
      if (typeof onMessage !== 'function') return consume(queue, onMessage, ...rest)
      const isTraced = !isTracedElsewhere()
      const process = (message: Message | null) => {
        if (message === null) return onMessage(message)
        const { exchange, routingKey } = message.fields
        const call = {
          system: 'rabbitmq',
          operation: 'process',
          destination: joined(exchange, routingKey, queue),
          group: groupOf('', queue),
          server: serverOf(channel),
          attributes: told(routingKey, message.properties),
        }
        return processMessages(call, senderIn(message.properties.headers), () => onMessage(message), isTraced)
      }
      return consume(queue, process, ...rest)
    },
  })
}

/** Returns `exchange:routing key:queue`, without empty and repeated parts. */
function joined(...parts: readonly unknown[]): string {
  const texts = parts.filter((part): part is string => typeof part === 'string' && part !== '')
  return [...new Set(texts)].join(':') || '(anonymous)'
}

/** Routing keys may differ from message to message, as the names of queues that the server generates do. */
function groupOf(exchange: unknown, queue: unknown): string {
  const name = typeof exchange === 'string' && exchange !== '' ? exchange : queue
  return typeof name !== 'string' || name === '' || name.startsWith('amq.gen-') ? '(anonymous)' : name
}

function told(routingKey: unknown, { messageId, correlationId }: Options = {}): Attributes {
  return {
    'messaging.rabbitmq.destination.routing_key':
      typeof routingKey === 'string' && routingKey !== '' ? routingKey : undefined,
    'messaging.message.id': messageId,
    'messaging.message.conversation_id': correlationId,
  }
}

/** Known only while the connection is open, over TCP. */
function serverOf(channel: object) {
  const { connection } = channel as { connection?: { stream?: { remoteAddress?: string; remotePort?: number } } }
  const { remoteAddress, remotePort } = connection?.stream ?? {}
  return { address: remoteAddress, port: remotePort }
}
