import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { systemClock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { Authorize } from '../../http/authorize.ts'
import { isLoopbackAddress, isLoopbackHost } from '../../http/conventions/loopback.ts'
import { errorResponse } from '../../http/error-response.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { parseAuthorization } from '../../http/fields/authorization.ts'
import type { ManagementRequest, ManagementResponse } from '../../http/message.ts'
import type { Route } from '../../http/router.ts'
import { serveRoutes } from '../../http/serve-routes.ts'
import type { ProfileSettings } from '../profile/profile-options.ts'
import { pprofRoutes, profileRoutes } from '../profile/profile-routes.ts'
import { captureRoutes } from '../recorder/capture-routes.ts'
import { threadDumpRoute } from '../threads/thread-dump-route.ts'
import type { RunOperation } from './diagnostic-operation.ts'

/** Diagnostics on the port of the watchdog. */
export interface ServedDiagnostics {
  readonly basePath: string
  /** Callers send one of them. */
  readonly tokens: readonly string[]
}

/** Responds to a request for diagnostics in the thread; returns whether the request is for them. */
type DiagnosticsServer = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Serves diagnostics in the thread, also while the main thread is blocked. Callers send one of the tokens as a bearer
 * token, or as the password of any user, which is how `go tool pprof` sends one.
 */
export function createDiagnosticsServer(
  routes: readonly Route[],
  { basePath, tokens }: ServedDiagnostics,
  report: Report,
): DiagnosticsServer {
  const respond = serveRoutes(routes, {
    ...{ basePath, authorize: authorizeByToken(tokens), clock: systemClock, report },
    refuseCrossSite: true,
  })
  return (request, response) => {
    const read = readRequest(request, response)
    const answered = isRebound(request) ? misdirected(read) : respond(read)
    if (answered === undefined) return false
    Promise.resolve(answered)
      .then((ready) => send(response, ready))
      .catch(() => response.destroy())
    return true
  }
}

function authorizeByToken(tokens: readonly string[]): Authorize {
  const known = tokens.map(digest)
  const authorize = ({ headers }: ManagementRequest) => {
    const presented = digest(presentedToken(headers['authorization']))
    const isKnown = known.filter((each) => timingSafeEqual(each, presented)).length > 0
    return isKnown ? { name: 'watchdog' } : undefined
  }
  return Object.assign(authorize, { challenge: 'Basic realm="management", charset="UTF-8"' })
}

function presentedToken(field: ManagementRequest['headers'][string]): string {
  const { scheme, credentials = '' } = parseAuthorization(field) ?? {}
  if (scheme === 'bearer') return credentials
  const text = scheme === 'basic' ? Buffer.from(credentials, 'base64').toString() : ''
  return text.slice(text.indexOf(':') + 1)
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Whether a page has made its own name resolve to a loopback address (DNS rebinding). Programs may omit `Host`. */
function isRebound({ socket, headers: { host = '' } }: IncomingMessage): boolean {
  const { localAddress = '' } = socket
  return isLoopbackAddress(localAddress) && host !== '' && !isLoopbackHost(host)
}

function misdirected(request: ManagementRequest): ManagementResponse {
  return errorResponse(new HttpError(421, 'This server accepts only loopback names in Host.'), request)
}

function readRequest(request: IncomingMessage, response: ServerResponse): ManagementRequest {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: request.headers,
    body: () => ({ kind: 'bytes', bytes: request }),
    base: '',
    signal: controller.signal,
  }
}

async function send(response: ServerResponse, { status, headers, body }: ManagementResponse): Promise<void> {
  response.writeHead(status, headers)
  if (body !== null && typeof body === 'object' && !(body instanceof Uint8Array)) {
    for await (const chunk of body) response.write(chunk)
    response.end()
  } else response.end(body)
}

/**
 * Returns the endpoints that the watchdog serves on its port: those that need nothing of the main thread. `isDebugged`
 * returns whether a debugger may be attached to the main thread.
 */
export function diagnosticRoutes(
  run: RunOperation,
  profile: ProfileSettings,
  isDebugged: () => boolean,
  hasRecorder: boolean,
): readonly Route[] {
  const captures = hasRecorder ? captureRoutes(run) : []
  return [...profileRoutes(run, profile), ...pprofRoutes(run, profile), threadDumpRoute(run, isDebugged), ...captures]
}
