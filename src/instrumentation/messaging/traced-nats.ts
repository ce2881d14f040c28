import { traceHeadersOf } from '../../tracing/context/carrier.ts'
import { overlay } from '../overlay.ts'
import { tracingNow } from '../tracing-now.ts'
import { beginSend, endWithWork, processMessages, senderIn } from './message-span.ts'

/** A connection of the package `nats` or `@nats-io/nats-core`. */
export interface TraceableNats {
  publish(subject: string, ...rest: never[]): void
  request(subject: string, ...rest: never[]): Promise<unknown>
  subscribe(subject: string, ...rest: never[]): unknown
  /** Returns `host:port` of the connected server. */
  getServer?(): string
}

/** Headers created by `headers()` of the same package. */
export interface NatsHeaders extends Iterable<[string, string[]]> {
  set(name: string, value: string): void
  append(name: string, value: string): void
}

interface Options {
  readonly headers?: NatsHeaders | undefined
}

interface Message {
  readonly subject: string
  readonly headers?: { get(name: string): string } | undefined
}

interface SubscribeOptions {
  readonly callback?: ((error: Error | null, message: Message) => unknown) | undefined
}

type Call = (...args: readonly unknown[]) => unknown

/**
 * Wraps a NATS connection so that its messages are traced, and timed by every management of the process. `publish` and
 * `request` create spans whose context the messages carry in their headers, created by `headers` of the same package.
 * `subscribe` with a `callback` processes each message in a child span of its sender. Subscriptions used as iterators
 * are unchanged; use `withTrace` for their messages. The result has the same type, and all other members are unchanged.
 *
 * ```ts
 * import { connect, headers } from 'nats'
 * const connection = tracedNats(await connect(), headers)
 * ```
 */
export function tracedNats<C extends TraceableNats>(connection: C, headers: () => NatsHeaders): C {
  const publish = connection.publish.bind(connection) as Call
  const request = connection.request.bind(connection) as Call
  const subscribe = connection.subscribe.bind(connection) as Call

  const sending =
    (call: Call, operation: 'publish' | 'request') => (subject: unknown, payload?: unknown, options?: Options) => {
      const tracing = tracingNow()
      const observed = beginSend(
        tracing,
        () => ({ system: 'nats', operation, ...destinationOf(String(subject)), server: serverOf(connection) }),
        operation === 'request' ? 'client' : 'producer',
      )
      if (observed === undefined) return call(subject, payload, options)
      const { span } = observed
      return endWithWork(observed, () => {
        if (tracing === undefined || span === undefined) return call(subject, payload, options)
        const carrying = carriedBy(headers(), options?.headers, traceHeadersOf(span.context))
        return tracing.run(span, () => call(subject, payload, { ...options, headers: carrying }))
      })
    }

  return overlay(connection, {
    publish: sending(publish, 'publish'),
    request: sending(request, 'request'),
    subscribe(subject: unknown, options?: SubscribeOptions) {
      const callback = options?.callback
      if (callback === undefined) return subscribe(subject, options)
      const process = (error: Error | null, message: Message) => {
        if (error != null) return callback(error, message)
        const server = serverOf(connection)
        // The subject of a subscription has wildcards for the parts that differ from message to message.
        const { group } = destinationOf(String(subject))
        const call = { system: 'nats', operation: 'process', destination: message.subject, group, server }
        return processMessages(call, senderIn(message.headers), () => callback(error, message), true)
      }
      return subscribe(subject, { ...options, callback: process })
    },
  })
}

/** Returns the current server; a cluster may have moved the connection. */
function serverOf(connection: TraceableNats) {
  try {
    const [, address, port] = /^(?:\w+:\/\/)?\[?(.+?)\]?(?::(\d+))?$/.exec(connection.getServer?.() ?? '') ?? []
    return { address, port: port === undefined ? undefined : Number(port) }
  } catch {
    return undefined
  }
}

/** Every client that waits for a reply has a subject of its own. */
function destinationOf(subject: string) {
  return { destination: subject, group: subject.startsWith('_INBOX.') ? '(anonymous)' : subject }
}

/** Returns a copy of the caller's headers with those of the trace. */
function carriedBy(made: NatsHeaders, given: NatsHeaders | undefined, trace: object): NatsHeaders {
  for (const [name, values] of given ?? []) for (const value of values) made.append(name, value)
  for (const [name, value] of Object.entries(trace)) made.set(name, value)
  return made
}
