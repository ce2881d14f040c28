import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { describeError } from '../base/error-text.ts'
import { failure as createFailure } from '../base/errors.ts'
import { packageVersion } from '../base/package-version.ts'
import { setUnrefTimeout } from '../base/timers.ts'
import { untraced } from '../tracing/current-tracing.ts'
import { withoutTracing } from '../tracing/without-tracing.ts'
import { createQueuedLookup } from './queued-lookup.ts'

/** The outcome of a request to a server: the identifier of the instance, or why it is not registered. */
export type Outcome =
  | { readonly kind: 'registered'; readonly id: string }
  | { readonly kind: 'deregistered' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** A Spring Boot Admin server. */
export interface AdminServer {
  /** Registers the instance. Never rejects. */
  register(body: string): Promise<Outcome>
  /** Removes the instance. Never rejects. */
  deregister(id: string): Promise<Outcome>
}

interface ServerOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMilliseconds: number
}

/** The response to a registration is an object with an identifier. */
const maxResponseBytes = 16 * 1024

/**
 * Creates the client of a server. Each request has a connection of its own, which does not keep the process alive once
 * it is established. A connection kept from one heartbeat to the next may have been closed by the server.
 */
export function createAdminServer(url: string, { headers, timeoutMilliseconds }: ServerOptions): AdminServer {
  const isSecure = new URL(url).protocol === 'https:'
  const agent = Object.assign(isSecure ? new SecureAgent() : new Agent(), { [untraced]: true })
  const send = isSecure ? requestHttps : requestHttp
  const common = { accept: 'application/json', 'user-agent': `upkeep/${packageVersion}`, ...headers }

  function exchange(method: 'POST' | 'DELETE', path: string, body?: string): Promise<Received | Failed> {
    return new Promise((resolve) => {
      const content = body === undefined ? {} : jsonHeaders(body)
      const { lookUp, cancel } = createQueuedLookup()
      const headers = { ...common, ...content }
      const request = withoutTracing(() => send(below(url, path), { agent, method, headers, lookup: lookUp }))
      request.on('socket', (socket) => socket.unref())
      const timer = setUnrefTimeout(() => {
        request.destroy(new DOMException(`no response within ${timeoutMilliseconds} ms`, 'TimeoutError'))
      }, timeoutMilliseconds)
      let failure: Error | undefined
      let received: Received | undefined
      request.on('response', (response) => {
        readResponse(response, request, (complete) => {
          received = complete
        })
      })
      request.on('error', (error) => {
        failure = error
      })
      request.on('close', () => {
        clearTimeout(timer)
        cancel()
        resolve(
          received ?? {
            error:
              failure ??
              createFailure('UPKEEP_EDELIVERY', 'the connection was closed before the response was complete'),
          },
        )
      })
      try {
        request.end(body)
      } catch (error) {
        request.destroy(error as Error)
      }
    })
  }

  async function perform(...request: Parameters<typeof exchange>): Promise<Received | Failed> {
    try {
      return await exchange(...request)
    } catch (error) {
      return { error }
    }
  }

  return {
    async register(body) {
      const result = await perform('POST', 'instances', body)
      if ('error' in result) return { kind: 'unreachable', reason: describeError(result.error) }
      const id = result.status === 201 || result.status === 200 ? idIn(result.text) : undefined
      return id === undefined ? { kind: 'rejected', reason: refusalOf(result) } : { kind: 'registered', id }
    },
    async deregister(id) {
      const result = await perform('DELETE', `instances/${encodeURIComponent(id)}`)
      if ('error' in result) return { kind: 'unreachable', reason: describeError(result.error) }
      const isGone = result.status === 404 || (result.status >= 200 && result.status <= 299)
      return isGone ? { kind: 'deregistered' } : { kind: 'rejected', reason: refusalOf(result) }
    },
  }
}

interface Received {
  readonly status: number
  readonly text: string
}

interface Failed {
  readonly error: unknown
}

function jsonHeaders(body: string): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
}

/** Reads a response; one that is longer than expected ends the request. */
function readResponse(response: IncomingMessage, request: ClientRequest, complete: (received: Received) => void): void {
  const chunks: Uint8Array[] = []
  let length = 0
  const finish = () => {
    complete({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
  }
  response.on('data', (chunk: Uint8Array) => {
    length += chunk.length
    if (length <= maxResponseBytes) chunks.push(chunk)
    else {
      finish()
      request.destroy()
    }
  })
  response.on('end', finish)
  response.on('error', () => {})
}

/** Returns an identifier of Spring Boot Admin, such as `8e65425649df`, or one of Cloud Foundry, `<guid>:<index>`. */
function idIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('id' in body)) return undefined
    return typeof body.id === 'string' && /^[\w:-]{1,100}$/.test(body.id) ? body.id : undefined
  } catch {
    return undefined
  }
}

/** The content of a refusal is not part of it: it may repeat the registration, which has a password. */
function refusalOf({ status }: Received): string {
  if (status === 401 || status === 403) return `${status}; the option "headers" needs an Authorization that it accepts`
  if (status >= 200 && status <= 299) return `${status} without a valid identifier; is it a Spring Boot Admin server?`
  if (status >= 300 && status <= 405) return `${status}; is the URL that of a Spring Boot Admin server?`
  return String(status)
}

/** Returns the URL of a path below another URL. */
export function below(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path}`
}
