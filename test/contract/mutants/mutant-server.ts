import { connect, createServer, type Socket } from 'node:net'
import { type Listening, listenOn } from '../../support/listen.ts'

/** A request as received by a faulty server. */
export interface RequestToForward {
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** A response before it is sent. */
export interface ForwardedResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** Bytes sent after the response. */
  readonly trailingBytes?: string
}

/** The fault of a server: changes to the forwarded request and to the response. */
export interface Fault {
  readonly changeRequest?: (request: RequestToForward) => RequestToForward
  readonly changeResponse?: (response: ForwardedResponse, request: RequestToForward) => ForwardedResponse
}

/** Starts a server that forwards each request to a correct one, with a fault. Handles one request per connection. */
export async function startMutant(
  conformingPort: number,
  { changeRequest = same, changeResponse = same }: Fault,
): Promise<Listening> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    void readMessage(socket).then(
      async ([line, headers, body]) => {
        const [method = '', target = ''] = line.split(' ')
        const request = changeRequest({ method, target, headers, body })
        const response = changeResponse(await forward(conformingPort, request), request)
        socket.end(serialize(response, request.method))
      },
      () => socket.destroy(),
    )
  })
  const port = await listenOn(server)
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

function same<T>(value: T): T {
  return value
}

async function forward(port: number, { method, target, headers, body }: RequestToForward): Promise<ForwardedResponse> {
  const socket = connect(port, '127.0.0.1')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body]))
  const [line, fields, content] = await readMessage(socket, method)
  return { status: Number(line.split(' ')[1]), headers: fields, body: content }
}

/** Splits a response into status line, header and content; without a length, the content ends with the connection. */
function readMessage(socket: Socket, method = ''): Promise<readonly [string, ReadonlyMap<string, string>, Buffer]> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const look = (ended: boolean) => {
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return ended ? reject(new Error('no message')) : undefined
      const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
      const headers = new Map(
        lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
      )
      const content = bytes.subarray(end + 4)
      const isResponse = line.startsWith('HTTP/')
      const length = method === 'HEAD' ? 0 : Number(headers.get('content-length') ?? (isResponse ? Number.NaN : 0))
      if (headers.get('transfer-encoding') === 'chunked' && method !== 'HEAD') {
        if (ended) resolve([line, headers, unchunk(content)])
      } else if (content.length >= length || ended) {
        resolve([line, headers, content])
      }
    }
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      look(false)
    })
    socket.on('error', reject)
    socket.on('close', () => look(true))
  })
}

function unchunk(content: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = content.indexOf('\r\n', at)
    const size = Number.parseInt(content.subarray(at, lineEnd).toString(), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    parts.push(content.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

/** Updates Content-Length, except for responses without content. */
function serialize({ status, headers, body, trailingBytes = '' }: ForwardedResponse, method: string): Buffer {
  const fields = new Map(headers)
  const framed = method !== 'HEAD' && status !== 204 && status !== 304
  if (framed) {
    fields.delete('transfer-encoding')
    fields.set('content-length', String(body.length))
  }
  const lines = [...fields].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`HTTP/1.1 ${status} Any\r\n${lines.join('')}\r\n`, 'latin1')
  return Buffer.concat([head, body, Buffer.from(trailingBytes)])
}
