import { channel } from 'node:diagnostics_channel'
import { hasSubscriberNamed } from '../official.ts'
import type { Safely } from '../safely.ts'
import type { ClientCall, ClientCalls } from './client-calls.ts'

/** A request, as published by undici and `fetch`. */
interface UndiciRequest {
  readonly origin?: string | URL
  readonly method: string
  readonly path: string
  /** Alternating names and values; a single string before undici 6. */
  readonly headers?: readonly unknown[] | string
  addHeader(name: string, value: string): unknown
}

interface Message {
  readonly request: UndiciRequest
}

/** Observes requests of `fetch` and undici. Returns an unsubscribe function. */
export function observeUndici(calls: ClientCalls, safely: Safely): () => void {
  const going = new WeakMap<UndiciRequest, ClientCall>()
  const nothing = () => {}

  const create = safely((message: unknown) => {
    const { request } = message as Message
    if (request.origin === undefined) return
    const { method, path } = request
    const origin = String(request.origin)
    const call = calls.begin({ method, origin, path }, isTracedElsewhere(request), (name, value) => {
      if (!(name === 'baggage' && hasHeader(request, name))) request.addHeader(name, value)
    })
    if (call !== undefined) going.set(request, call)
  }, nothing)

  const answer = safely((message: unknown) => {
    const { request, response } = message as Message & { readonly response: { readonly statusCode: number } }
    const call = going.get(request)
    call?.answered(response.statusCode)
    // The connection changes its protocol.
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
 * A request traced elsewhere has a `traceparent`: from OpenTelemetry's instrumentation, the application, or another
 * management of this process. The first may also subscribe after upkeep, and add it later.
 */
function isTracedElsewhere(request: UndiciRequest): boolean {
  if (hasSubscriberNamed('bound onRequestCreated', channel('undici:request:create'))) return true
  return hasHeader(request, 'traceparent')
}

/** Returns whether a request has a field, by its name in lower case. */
function hasHeader({ headers }: Pick<UndiciRequest, 'headers'>, name: string): boolean {
  if (typeof headers === 'string') return `\n${headers.toLowerCase()}`.includes(`\n${name}:`)
  return headers?.some((each, at) => at % 2 === 0 && typeof each === 'string' && each.toLowerCase() === name) ?? false
}
