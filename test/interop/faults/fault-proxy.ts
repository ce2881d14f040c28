import { type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { encodePartialSuccess } from '../../support/otlp/decode.ts'
import { startHttp } from '../../support/start-http.ts'

/** What the proxy does with a request: responds itself, or passes it on and changes the response. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Passes it on, and responds that so many items were rejected. */
  | { readonly rejected: number; readonly message: string }
  | 'reset'

export interface FaultProxy {
  readonly url: string
  /** The statuses of the responses by signal, and what has been done in place of one. */
  readonly responses: readonly string[]
  /** Passes requests to another receiver from now on. */
  passTo(url: string): void
  /** Sets what happens to the next requests of a signal; further ones are passed on. */
  next(signal: string, ...faults: readonly Fault[]): void
  readonly dispose: () => Promise<void>
}

/** Starts a proxy before a receiver of OTLP, which spoils chosen responses. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const faults = new Map<string, Fault[]>()
  const responses: string[] = []
  let current = target

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const body = await buffer(request)
    const fault = faults.get(path.replace('/v1/', ''))?.shift()
    responses.push(`${path} ${fault === undefined ? await passOn(current, request, body, response) : named(fault)}`)
    if (fault === undefined) return
    if (typeof fault === 'object' && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end()
      return
    }
    if (typeof fault === 'string') {
      response.socket?.resetAndDestroy()
      return
    }
    await passOn(current, request, body)
    const content = encodePartialSuccess(path, fault.rejected, fault.message)
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end(content)
  }

  const server = await startHttp((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  return {
    url: server.url,
    responses,
    passTo(url) {
      current = url
    },
    next: (signal, ...more) => void faults.set(signal, [...(faults.get(signal) ?? []), ...more]),
    dispose: server.dispose,
  }
}

function named(fault: Fault): string {
  if (typeof fault === 'string') return fault
  return 'status' in fault ? `${fault.status}` : `rejected ${fault.rejected}`
}

/** Sends a request to the receiver, and its response to the client if there is one to send to; returns the status. */
function passOn(target: string, request: IncomingMessage, body: Buffer, response?: ServerResponse): Promise<number> {
  const { host: _host, connection: _connection, ...headers } = request.headers
  const options = { method: request.method ?? 'POST', headers, agent: false }
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest(target + (request.url ?? ''), options, (incoming) => {
      const status = incoming.statusCode ?? 0
      incoming.on('error', reject).on('end', () => resolve(status))
      if (response === undefined) incoming.resume()
      else {
        const { connection: _closing, ...fields } = incoming.headers
        response.writeHead(status, fields)
        incoming.pipe(response)
      }
    })
    outgoing.on('error', reject).end(body)
  })
}
