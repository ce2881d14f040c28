import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type HttpServer, startHttp } from '../start-http.ts'
import {
  decodeLogs,
  decodeMetrics,
  decodeTraces,
  encodePartialSuccess,
  type KeyValue,
  type Metric,
  metricsOf,
  recordsOf,
  type SentRecord,
  type SentSpan,
  spansOf,
} from './decode.ts'

/** A response of the receiver. Without further ones, all requests are accepted. */
export type Reply =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
    }
  | { readonly rejected: number; readonly message: string }
  | 'reset'
  | 'hang'
  /** Responds with 200 at `release`. */
  | 'hold'
  /** Sends the header section of a response, and nothing more. */
  | 'hang after head'

export interface ReceivedExport {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Whether the response was 200. */
  readonly taken: boolean
  readonly metrics: readonly Metric[]
  readonly spans: readonly SentSpan[]
  readonly records: readonly SentRecord[]
  readonly resource: readonly KeyValue[]
}

/** An OTLP receiver over HTTP whose responses a test sets. */
export interface OtlpReceiver {
  readonly url: string
  readonly port: number
  readonly exports: readonly ReceivedExport[]
  /** Sets the responses to the next requests, in order. */
  respondWith(...replies: readonly Reply[]): void
  /** Responds to the held requests. */
  release(): void
  /** Resolves after this total of requests. */
  arrived(count: number): Promise<void>
  readonly dispose: () => Promise<void>
}

export async function startReceiver(): Promise<OtlpReceiver> {
  const exports: ReceivedExport[] = []
  const replies: Reply[] = []
  const waiting = new Set<() => void>()
  const held: ServerResponse[] = []

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = request.url ?? ''
    const reply = replies.shift() ?? { status: 200 }
    exports.push(readExport(path, request.headers, Buffer.concat(chunks), isTaken(reply)))
    if (reply === 'hold') held.push(response)
    else respondWith(path, reply, response)
    for (const wake of waiting) wake()
  }

  const server: HttpServer = await startHttp((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  return {
    url: server.url,
    port: server.port,
    exports,
    respondWith: (...next) => void replies.push(...next),
    release() {
      for (const response of held.splice(0)) response.end()
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const wake = () => {
          if (exports.length < count) return
          waiting.delete(wake)
          resolve()
        }
        waiting.add(wake)
        wake()
      }),
    dispose: server.dispose,
  }
}

function isTaken(reply: Reply): boolean {
  return typeof reply === 'object'
    ? !('status' in reply) || reply.status === 200
    : reply === 'hang after head' || reply === 'hold'
}

function respondWith(path: string, reply: Exclude<Reply, 'hold'>, response: ServerResponse): void {
  if (reply === 'hang') return
  if (reply === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  if (reply === 'hang after head') {
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf', 'Content-Length': 10 }).flushHeaders()
    return
  }
  if ('status' in reply) {
    response.writeHead(reply.status, { 'Content-Type': 'application/x-protobuf', ...reply.headers }).end(reply.body)
    return
  }
  const body = encodePartialSuccess(path, reply.rejected, reply.message)
  response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end(body)
}

function readExport(path: string, headers: IncomingHttpHeaders, body: Buffer, taken: boolean): ReceivedExport {
  const encoding = headers['content-encoding']
  const [pathname = ''] = path.split('?')
  const received = { path, headers, taken, metrics: [], spans: [], records: [], resource: [] }
  if (pathname.endsWith('/logs')) return { ...received, records: recordsOf(decodeLogs(body, encoding)) }
  if (!/\/(?:traces|metrics)$/.test(pathname)) return received
  if (pathname.endsWith('/traces')) {
    const request = decodeTraces(body, encoding)
    const resource = request.resourceSpans[0]?.resource.attributes ?? []
    return { ...received, spans: spansOf(request), resource }
  }
  const request = decodeMetrics(body, encoding)
  const resource = request.resourceMetrics[0]?.resource.attributes ?? []
  return { ...received, metrics: metricsOf(request), resource }
}
