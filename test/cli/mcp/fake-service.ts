import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listenOn } from '../../support/listen.ts'

interface FakeResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string as it is, anything else as JSON. */
  readonly body?: unknown
}

/** Starts a service with responses by path, with or without its query; 404 to everything else. */
export async function serveResponses(responses: Readonly<Record<string, FakeResponse>>) {
  const requests: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string })[] = []
  const server = createServer(async (req, res) => {
    requests.push({ method: req.method, url: req.url, headers: req.headers, body: await text(req) })
    const [path = ''] = req.url?.split('?') ?? []
    const found = responses[`${req.method} ${path}`] ?? responses[req.url ?? ''] ?? responses[path]
    const { status = found === undefined ? 404 : 200, headers, body = {} } = found ?? {}
    const isText = typeof body === 'string'
    res.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json', ...headers })
    res.end(isText ? body : JSON.stringify(body))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${await listenOn(server)}`, requests }
}

/** Starts a service that never responds; `begun` resolves with its first request, `ended` when the client ends that. */
export async function serveSilence() {
  const server = createServer()
  const request = once(server, 'request').then(([, res]) => res)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${await listenOn(server)}`
  return { origin, begun: request, ended: request.then((res) => once(res, 'close')) }
}
