import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type HttpServer, startHttp } from '../support/start-http.ts'

/** A response of the server, or how it fails to respond. */
export type Reply =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'reset'
  | 'hang'
  /** Sends the header section, and nothing more. */
  | 'hang after head'
  /** Responds with 201 and content without an end. */
  | 'endless'
  /** Responds with 201 at `release`. */
  | 'hold'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A Spring Boot Admin server whose responses a test sets. */
export interface ScriptedServer {
  readonly url: string
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  /** Sets the response to all further requests; by default they succeed. */
  respondWith(reply: Reply | undefined): void
  /** Responds to the held requests. */
  release(): void
  /** Resolves when this total of requests of the method has arrived. */
  arrived(count: number, method?: string): Promise<void>
  readonly connections: HttpServer['connections']
  readonly dispose: () => Promise<void>
}

/** The identifier that the server assigns. */
export const instanceId = 'c02011bc122e'

export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = []
  const held: ServerResponse[] = []
  const waiting = new Set<() => void>()
  let reply: Reply | undefined

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
    respond(request, response)
    for (const wake of [...waiting]) wake()
  }

  function respond(request: IncomingMessage, response: ServerResponse): void {
    switch (reply) {
      case undefined:
        succeed(request, response)
        break
      case 'hang':
        break
      case 'reset':
        request.socket.destroy()
        break
      case 'hold':
        held.push(response)
        break
      case 'hang after head':
        response.writeHead(201).flushHeaders()
        break
      case 'endless':
        writeEndlessly(response)
        break
      default:
        response.writeHead(reply.status, reply.headers).end(reply.body ?? '')
    }
  }

  const server = await startHttp((request, response) => {
    // A client that leaves midway.
    take(request, response).catch(() => {})
  })
  return {
    ...server,
    requests,
    respondWith(next) {
      reply = next
    },
    release() {
      for (const response of held.splice(0)) succeed(response.req, response)
    },
    async arrived(count, method) {
      const isThere = () => requests.filter((each) => method === undefined || each.method === method).length >= count
      while (!isThere()) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
      }
    },
  }
}

/** What a real server responds with (version 4.1.2). */
function succeed({ method }: IncomingMessage, response: ServerResponse): void {
  if (method === 'DELETE') {
    response.writeHead(204).end()
    return
  }
  response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: instanceId }))
}

function writeEndlessly(response: ServerResponse): void {
  response.writeHead(201, { 'Content-Type': 'application/json' })
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(1_024)));
  }
  response.on('drain', write)
  response.on('error', () => {})
  write()
}
