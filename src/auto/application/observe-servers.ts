import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Observation } from '../../entries/instrumentation.ts'
import { isWrapped } from '../../instrumentation/official.ts'
import { replaceMethod } from '../../instrumentation/replaced-method.ts'
import type { Safely } from '../../instrumentation/safely.ts'
import { isOwnServer } from '../../lifecycle/own-server.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import { exchangeOf } from './stream-exchange.ts'

/** Called with the servers of the application, and with their requests before these are handled. */
export interface ServerListener {
  /** Before the first request of the server. */
  onServer(server: Server): void
  onRequest(request: IncomingMessage): void
  /** Returns the template of the route of a request that has ended. */
  routeOf(request: IncomingMessage): string | undefined
}

/** How the requests of a server reach the observation. */
type Way = 'channel' | 'listener' | 'none'

interface BegunRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: Server
}

/**
 * Observes the requests of all servers of the process, except for those of upkeep. Requests of HTTP/1 are published by
 * node:http before it emits them; those of HTTP/2 are not in all versions of Node, and are observed where they are
 * emitted, as requests or as streams. Upgraded connections are no requests here, as they are none for node:http.
 * Returns a function that ends it.
 */
export function observeServers(observation: Observation, listener: ServerListener, safely: Safely): () => void {
  const ways = new WeakMap<Server, Way>()
  const { routeOf } = listener

  const watch = (server: Server): Way => {
    const known = ways.get(server)
    if (known !== undefined) return known
    const way = wayOf(server)
    ways.set(server, way)
    if (way === 'none') return way
    listener.onServer(server)
    // Below OpenTelemetry's instrumentation of node:http, whose span is then used: its requests are published earlier.
    if (way === 'listener') server.prependListener('request', observe)
    if (isHttp2(server)) observeHttp2(server)
    return way
  }

  const observe = safely((request: IncomingMessage, response: ServerResponse) => {
    listener.onRequest(request)
    observation.begin(response, request, routeOf, nothing)
  }, nothing)

  const observeHttp2 = (server: Server) => {
    const exchangeIn = safely(
      ([event, ...args]: readonly unknown[]) => {
        const exchange = event === 'request' ? args : event === 'stream' ? streamIn(args) : undefined
        if (exchange === undefined) return undefined
        const [request, response] = exchange as [IncomingMessage, ServerResponse]
        listener.onRequest(request)
        return { request, response }
      },
      () => undefined,
    )
    /** A stream becomes a request if the server listens to these. A tunnel, such as of a WebSocket, is not observed. */
    const streamIn = (args: readonly unknown[]) => {
      const [stream, headers, , rawHeaders] = args as [ServerHttp2Stream, IncomingHttpHeaders, number, string[]]
      const isTunnel = headers[':method'] === 'CONNECT'
      return server.listenerCount('request') > 0 || isTunnel ? undefined : exchangeOf(stream, headers, rawHeaders)
    }

    replaceMethod(server as { emit: unknown }, 'emit', (original, self, args) => {
      const exchange = exchangeIn(args)
      if (exchange === undefined) return original.apply(self, args)
      return observation.begin(exchange.response, exchange.request, routeOf, () => original.apply(self, args))
    })
  }

  const begin = safely((message: unknown) => {
    const { request, response, server } = message as BegunRequest
    if ((ways.get(server) ?? watch(server)) !== 'channel') return
    listener.onRequest(request)
    observation.enter(response, request, routeOf)
    if (losesContext && request.method !== 'GET' && currentTracing() !== undefined) {
      resumeEvents(request, (emit) => observation.resume(response, emit))
    }
  }, nothing)

  // Published when the server is bound: also of the one that has woken this process.
  const listening = safely((message: unknown) => {
    const { server } = message as { readonly server: Server }
    if (server.listenerCount('request') > 0 || isHttp2(server)) watch(server)
  }, nothing)

  const subscriptions = [
    ['http.server.request.start', begin],
    ['tracing:net.server.listen:asyncEnd', listening],
  ] as const
  for (const [name, subscriber] of subscriptions) subscribe(name, subscriber)
  return () => {
    for (const [name, subscriber] of subscriptions) unsubscribe(name, subscriber)
  }
}

/** Since Node 24 the events of a body that comes later are emitted in the context of the connection. */
const losesContext = Number(process.versions.node.split('.')[0]) >= 24

/** Emits the events of a request, such as `data` and `end`, in its context. */
function resumeEvents(request: IncomingMessage, resume: <R>(emit: () => R) => R): void {
  const { emit } = request
  const value = function (this: IncomingMessage, ...args: Parameters<typeof emit>) {
    return resume(() => emit.apply(this, args))
  }
  Object.defineProperty(request, 'emit', { value, configurable: true, writable: true })
}

function wayOf(server: Server): Way {
  if (isOwnServer(server)) return 'none'
  return isWrapped(server.emit) ? 'listener' : 'channel'
}

/** Without loading node:http2. */
function isHttp2(server: object): boolean {
  return 'updateSettings' in server
}

function nothing(): undefined {
  return undefined
}
