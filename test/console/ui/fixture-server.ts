/// <reference path="../../../src/console/page-files.d.ts" />
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LogFacts, LogsDocument } from '../../../src/console/documents.ts'
import { script, style } from '../../../src/console/ui/main.tsx?page-files'
import { listen } from '../../support/listen.ts'
import { consoleDocuments, endpointDocuments, type FixtureOptions, now } from './fixture-documents.ts'

/** The policy of the page, as the console sends it. */
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:",
  "frame-ancestors 'none'; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'",
].join('; ')

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>upkeep</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="console/assets/console.${style.hash}.css">
<script type="module" src="console/assets/console.${script.hash}.js"></script>
</head><body><div id="app"></div></body></html>`

/** What a test can change while the server runs. */
export interface FixtureState extends FixtureOptions {
  /** The response to `stream`: `live`, refused as the 21st viewer is, or ended after the first sample. */
  stream: 'live' | 'refused' | 'ended'
  startedAt: number
  latestRecord: number
  /** The status of all documents but the page; if it is not 200, with `Retry-After: 40`. */
  status: number
  readonly challenge: string
}

/** A server that serves the page, and documents to callers with the token `secret`. */
export interface FixtureServer {
  readonly url: string
  readonly state: FixtureState
  /** Methods, paths and bodies of requests that change something. */
  readonly changes: readonly string[]
  /** Returns how many requests were sent with a query or a path that contains a text. */
  countRequests(part: string): number
  /** Ends all streams. */
  cutStreams(): void
  close(): Promise<void>
}

export async function startFixtureServer(options: Partial<FixtureState> = {}): Promise<FixtureServer> {
  const state: FixtureState = {
    ...{ text: '', routes: 20, startedAt: now - 9_000_000, members: [], latestRecord: 9 },
    ...{ stream: 'live', status: 200, challenge: 'Bearer' },
    ...options,
  }
  const streams = new Set<ServerResponse>()
  const targets: string[] = []
  const changes: string[] = []
  const { port, close } = await listen((request, response) => {
    targets.push(request.url ?? '')
    if (request.method === 'POST') {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        changes.push(`${request.method} ${request.url} ${body}`)
        response.writeHead(204).end()
      })
    } else respond(request, response, state, streams)
  })
  return {
    ...{ url: `http://127.0.0.1:${port}/management/console`, state, changes },
    countRequests: (part) => targets.filter((target) => target.includes(part)).length,
    cutStreams: () => {
      for (const stream of streams) stream.destroy()
    },
    close,
  }
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  state: FixtureState,
  streams: Set<ServerResponse>,
): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const path = pathname.replace('/management/', '')
  const send = (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body)
  const refuse = (status: number, detail: string, headers: Record<string, string> = {}) =>
    send(status, 'application/problem+json', JSON.stringify({ status, detail }), headers)

  if (path === 'console') return void send(200, 'text/html', html, { 'Content-Security-Policy': policy })
  for (const [file, type] of [[script, 'text/javascript'] as const, [style, 'text/css'] as const]) {
    if (path.startsWith('console/assets/') && path.includes(file.hash)) {
      return void send(200, type, Buffer.from(file.gzip, 'base64'), { 'Content-Encoding': 'gzip' })
    }
  }
  if (state.status !== 200) return void refuse(state.status, 'Too many requests.', { 'Retry-After': '40' })
  const { authorization } = request.headers
  if (authorization !== 'Bearer secret' && authorization !== `Basic ${btoa('ops:secret')}`) {
    const detail = authorization === undefined ? 'Authentication required.' : 'The token is not known.'
    return void refuse(401, detail, { 'WWW-Authenticate': state.challenge })
  }
  const documents = consoleDocuments(state)
  if (path === 'console/stream') {
    if (state.stream === 'refused') return void refuse(503, 'All 20 places are taken.', { 'Retry-After': '30' })
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(`event: sample\ndata: ${JSON.stringify(documents['vitals'])}\n\n`)
    if (state.stream === 'ended') response.end()
    streams.add(response)
    response.on('close', () => streams.delete(response))
    return
  }
  if (path === 'console/logs') {
    const after = Number(searchParams.get('after') ?? state.latestRecord - 1)
    return void send(200, 'application/json', JSON.stringify(logsAfter(after, documents['logs'] as LogsDocument)))
  }
  if (path === 'profile') return void send(200, 'text/plain', `main;${state.text}run (file:///a.js:1);leaf 900\n`)
  if (path === 'captures/c1') return void send(200, 'text/plain', 'main;blocked 900\n')
  if (path.startsWith('sbom/')) {
    return void send(
      200,
      'application/json',
      JSON.stringify({ components: [{ name: `${state.text}pkg`, version: '1' }] }),
    )
  }
  const name = path
    .replace(/^console\//, '')
    .replace(/^meters\/.*/, 'meters/one')
    .replace(/^history$/, `history?${searchParams.get('resolution')}`)
  const document = { ...endpointDocuments(state.text), ...documents }[name]
  if (document === undefined) return void refuse(404, 'Resource not found.')
  send(200, 'application/json', JSON.stringify(document))
}

/** Returns the records after a number, 500 at most. */
function logsAfter(after: number, { records: [record], ...logs }: LogsDocument): LogsDocument {
  const count = Math.max(0, Math.min(500, logs.latest - after))
  // Safe: the document has a record.
  const records = Array.from({ length: count }, (_, at) => ({ ...(record as LogFacts), sequence: logs.latest - at }))
  return { ...logs, records }
}
