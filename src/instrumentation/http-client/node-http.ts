import { channel } from 'node:diagnostics_channel'
import { errorMonitor } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { untraced } from '../../tracing/current-tracing.ts'
import { isWrapped } from '../official.ts'
import { replaceMethod } from '../replaced-method.ts'
import type { Safely } from '../safely.ts'
import type { ClientCall, ClientCalls } from './client-calls.ts'

/** Observes requests of node:http and node:https. Returns an unsubscribe function. */
export function observeNodeHttp(calls: ClientCalls, safely: Safely): () => void {
  const going = new WeakMap<ClientRequest, ClientCall>()
  const nothing = () => {}

  const begin = safely((request: ClientRequest): void => {
    const isElsewhere = isWrapped(process.getBuiltinModule('node:http').request)
    if (isExport(request)) return
    const call = calls.begin(
      { method: request.method, origin: originOf(request), path: request.path },
      isElsewhere || request.hasHeader('traceparent'),
      (name, value) => {
        // Headers given as a flat list, or already sent with `Expect: 100-continue`, cannot be changed any more.
        if (!request.headersSent && !(name === 'baggage' && request.hasHeader(name))) request.setHeader(name, value)
      },
    )
    if (call === undefined) return
    going.set(request, call)
    // A response that breaks off emits its error on the response, not the request: this is the end.
    const fail = safely((error: unknown) => {
      call.failed(error)
      call.end()
    }, nothing)
    request.on(errorMonitor, fail)
    // Not by a listener for `response`: without one, node:http discards the response.
    request.on(
      'close',
      safely(() => end(request, call), nothing),
    )
  }, nothing)

  const answered = safely((message: unknown) => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage }
    if (response.statusCode !== undefined) going.get(request)?.answered(response.statusCode)
  }, nothing)

  const created = (message: unknown) => begin((message as { readonly request: ClientRequest }).request)
  channel('http.client.response.finish').subscribe(answered)
  const unhook = publishesCreatedRequests(process.versions.node)
    ? subscribeTo('http.client.request.created', created)
    : hookAgent(begin)
  return () => {
    channel('http.client.response.finish').unsubscribe(answered)
    unhook()
  }
}

/** Whether node:http publishes a request before its headers are sent. */
export function publishesCreatedRequests(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 2) || (major === 22 && minor >= 12)
}

function subscribeTo(name: string, subscriber: (message: unknown) => void): () => void {
  channel(name).subscribe(subscriber)
  return () => channel(name).unsubscribe(subscriber)
}

/**
 * Calls `begin` with every request before its headers are sent. Returns an unsubscribe function. Patches the method of
 * `http.Agent`, which `https.Agent` inherits, that assigns a request to a connection: only for versions of Node without
 * a diagnostics channel at this point.
 */
function hookAgent(begin: (request: ClientRequest) => void): () => void {
  const { Agent } = process.getBuiltinModule('node:http')
  // The types of Node lack `addRequest`.
  const prototype = Agent.prototype as typeof Agent.prototype & { addRequest: unknown }
  return replaceMethod(prototype, 'addRequest', (addRequest, self, [request, ...rest]) => {
    begin(request as ClientRequest)
    return addRequest.call(self, request, ...rest)
  })
}

function end(request: ClientRequest & { readonly res?: IncomingMessage | null }, call: ClientCall): void {
  // Upgrades are not published on the channel.
  const status = request.res?.statusCode
  if (status !== undefined) call.answered(status)
  const cut = request.res?.errored
  if (cut != null) call.failed(cut)
  call.end()
}

/**
 * Whether a request belongs to upkeep's export, or to another OpenTelemetry exporter (recognized by its agent's name
 * only).
 */
function isExport(request: ClientRequest & { readonly agent?: object | undefined }): boolean {
  if (request.agent !== undefined && untraced in request.agent) return true
  return /(?:^| )OTel-OTLP-Exporter/.test(String(request.getHeader('user-agent') ?? ''))
}

function originOf(request: ClientRequest): string {
  const { protocol, host } = request
  const named = request.getHeader('host')
  const port = typeof named === 'string' ? /:(\d+)$/.exec(named)?.[1] : undefined
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return `${protocol}//${name}${port === undefined ? '' : `:${port}`}`
}
