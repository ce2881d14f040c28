import { channel } from 'node:diagnostics_channel'
import type { ClientCall, ClientCalls } from '../client-calls.ts'
import { isHeardBy } from '../official.ts'
import type { Safely } from '../safely.ts'

/** What undici, and with it `fetch`, tells of a request. */
interface UndiciRequest {
  readonly origin?: string | URL
  readonly method: string
  readonly path: string
  /** Names and values in turn; a single text before undici 6. */
  readonly headers?: readonly unknown[] | string
  addHeader(name: string, value: string): unknown
}

interface Message {
  readonly request: UndiciRequest
}

/** Observes requests by `fetch` and undici, until the function that it answers is called. */
export function observeUndici(calls: ClientCalls, safely: Safely): () => void {
  const going = new WeakMap<UndiciRequest, ClientCall>()
  const nothing = () => {}

  const create = safely((message: unknown) => {
    const { request } = message as Message
    if (request.origin === undefined) return
    const { method, path } = request
    const origin = String(request.origin)
    const call = calls.begin({ method, origin, path }, isTracedElsewhere(request), (name, value) => {
      request.addHeader(name, value)
    })
    if (call !== undefined) going.set(request, call)
  }, nothing)

  const answer = safely((message: unknown) => {
    const { request, response } = message as Message & { readonly response: { readonly statusCode: number } }
    const call = going.get(request)
    call?.answered(response.statusCode)
    // What follows is another protocol's.
    if (response.statusCode === 101 || (request.method === 'CONNECT' && response.statusCode < 300)) call?.end()
  }, nothing)

  const end = safely((message: unknown) => going.get((message as Message).request)?.end(), nothing)

  const fail = safely((message: unknown) => {
    const { request, error } = message as Message & { readonly error: unknown }
    const call = going.get(request)
    call?.failed(error)
    call?.end()
  }, nothing)

  const subscriptions = [
    ['undici:request:create', create],
    ['undici:request:headers', answer],
    ['undici:request:trailers', end],
    ['undici:request:error', fail],
  ] as const
  for (const [name, subscriber] of subscriptions) channel(name).subscribe(subscriber)
  return () => {
    for (const [name, subscriber] of subscriptions) channel(name).unsubscribe(subscriber)
  }
}

/**
 * Who traces this request has given it a `traceparent`: OpenTelemetry's own instrumentation, the application itself, or
 * another management of this process. The first of them may also listen behind us, and do it later.
 */
function isTracedElsewhere({ headers }: UndiciRequest): boolean {
  if (isHeardBy('bound onRequestCreated', channel('undici:request:create'))) return true
  if (typeof headers === 'string') return /^traceparent:/im.test(headers)
  return headers?.some((name, at) => at % 2 === 0 && typeof name === 'string' && /^traceparent$/i.test(name)) ?? false
}
