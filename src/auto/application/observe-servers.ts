import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Observation } from '../../entries/instrumentation.ts'
import { isWrapped } from '../../instrumentation/official.ts'
import { replaceMethod } from '../../instrumentation/replaced-method.ts'
import type { Safely } from '../../instrumentation/safely.ts'
import { isOwnServer } from '../../lifecycle/own-server.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'

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
 * emitted. Upgraded connections are no requests here, as they are none for node:http. Returns a function that ends it.
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
    replaceMethod(server as { emit: unknown }, 'emit', (original) => {
      const emit = function (this: unknown, ...args: unknown[]) {
        const [event, request, response] = args as [unknown, IncomingMessage, ServerResponse]
        if (event !== 'request' || !prepare(request)) return original.apply(this, args)
        return observation.begin(response, request, routeOf, () => original.apply(this, args))
      }
      const prepare = safely(
        (request: IncomingMessage) => {
          listener.onRequest(request)
          return true
        },
        () => false,
      )
      return emit
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
    if (server.listenerCount('request') > 0) watch(server)
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
