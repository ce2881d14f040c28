import { Agent, type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Clock } from '../../base/clock.ts'
import { packageVersion } from '../../base/package-version.ts'
import { untraced } from '../../tracing/current-tracing.ts'
import type { ReceiverSettings } from '../settings/receiver-settings.ts'
import { type Attempt, createAttempt, recordResponse } from './attempt.ts'
import type { Sender } from './delivery.ts'
import { proxyUnavailable, TunnelAgent } from './proxy.ts'

/** An encoded request. */
export interface RequestBody {
  readonly body: readonly Uint8Array[]
}

/** What a request needs besides its settings. */
interface ClientOptions {
  readonly settings: ReceiverSettings
  readonly contentType: string
  /** In PEM format. */
  readonly certificates: Readonly<Record<string, Buffer>>
  /** Removed from the text of responses. */
  readonly secrets: readonly string[]
  readonly clock: Clock
}

const compress = promisify(gzip)

/** Sends requests to a receiver over HTTP, one at a time, on connections that are kept open. */
export function createReceiverClient({
  settings,
  contentType,
  certificates,
  secrets,
  clock,
}: ClientOptions): Sender<RequestBody> {
  const url = new URL(settings.url)
  const isSecure = url.protocol === 'https:'
  const { proxy } = settings
  const agent = createAgent(url, settings, certificates)
  // A proxy gets the whole URL of a request that it does not tunnel (RFC 9112 §3.2.2).
  const forwarded = proxy !== undefined && !isSecure ? proxy : undefined
  const target = forwarded === undefined ? url : forwarded.url
  const options = {
    agent,
    method: 'POST',
    ...(forwarded && { path: `${url.origin}${url.pathname}${url.search}`, setHost: false }),
  }
  const fixed: Readonly<Record<string, string>> = {
    ...(forwarded && { host: url.host, ...forwarded.headers }),
    'user-agent': `upkeep/${packageVersion}`,
    ...settings.headers,
    'content-type': contentType,
  }
  let current: ClientRequest | undefined
  let isAborted = false

  function attempt(body: readonly Uint8Array[], headers: Record<string, string>, timeout: number): Promise<Attempt> {
    return new Promise((resolve) => {
      const outcome = createAttempt()
      const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, { ...options, headers })
      current = request
      const expire = () => {
        outcome.errorCode ??= 'TIMEOUT'
        request.destroy()
      }
      // In the next turn: a process that was frozen may have received the response, which is read first.
      const timer = setTimeout(() => setImmediate(expire), timeout)
      timer.unref()
      request.on('response', (response) => {
        recordResponse(outcome, response, clock.wallTime(), secrets)
        // What has arrived of a response that breaks off is used.
        response.on('error', () => {})
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (isAborted) outcome.errorCode ??= 'ABORTED'
        else {
          if (error.code === undefined || error.code === proxyUnavailable) outcome.cause = error
          outcome.errorCode ??= error.code
        }
      })
      request.on('close', () => {
        clearTimeout(timer)
        if (current === request) current = undefined
        if (isAborted) outcome.errorCode ??= 'ABORTED'
        resolve(outcome)
      })
      for (const piece of body) request.write(piece)
      request.end()
    })
  }

  /** A receiver may close an idle connection while a request is being sent on it (RFC 9112 §9.3.1). */
  function isOutdated({ status, errorCode }: Attempt, wasReused: boolean): boolean {
    return wasReused && status === undefined && (errorCode === 'ECONNRESET' || errorCode === 'EPIPE')
  }

  async function send({ body }: RequestBody, timeout: number): Promise<Attempt> {
    const deadline = clock.monotonicTime() + timeout
    const sent = settings.compression === 'gzip' ? [await compress(Buffer.concat(body))] : body
    const length = sent.reduce((sum, piece) => sum + piece.length, 0)
    const headers = {
      ...fixed,
      'content-length': String(length),
      ...(settings.compression === 'gzip' && { 'content-encoding': 'gzip' }),
    }
    if (isAborted) return { ...createAttempt(), errorCode: 'ABORTED' }
    const first = attempt(sent, headers, timeout)
    const request = current
    const outcome = await first
    if (isAborted || !isOutdated(outcome, request?.reusedSocket === true)) return outcome
    return attempt(sent, headers, Math.max(1, deadline - clock.monotonicTime()))
  }

  return {
    async send(items, timeout) {
      try {
        return await send(items, timeout)
      } catch (cause) {
        // An invalid header field, for example, which Node refuses to send.
        return { ...createAttempt(), cause }
      }
    },
    abort() {
      isAborted = true
      current?.destroy()
      agent.destroy()
    },
  }
}

function createAgent(
  url: URL,
  { proxy, timeoutMilliseconds }: ReceiverSettings,
  certificates: Readonly<Record<string, Buffer>>,
): Agent {
  const options = { keepAlive: true, maxSockets: 1 }
  if (url.protocol === 'http:') {
    return Object.assign(proxy?.url.protocol === 'https:' ? new SecureAgent(options) : new Agent(options), {
      [untraced]: true,
    })
  }
  const secure = { ...options, ...certificates }
  const agent = proxy === undefined ? new SecureAgent(secure) : new TunnelAgent(proxy, timeoutMilliseconds, secure)
  return Object.assign(agent, { [untraced]: true })
}
