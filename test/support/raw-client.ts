import { connect } from 'node:net'

/** A request sent without validation: `target` and header values may be malformed. */
export interface RawRequest {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

/** A response as received. */
export interface RawResponse {
  readonly status: number
  /** By lower-case name; repeated fields are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The content, without transfer coding. */
  readonly bytes: Uint8Array
}

/** Returns a client of a port of 127.0.0.1 that opens a connection per request and reads until the server closes it. */
export function createRawClient(port: number): (request: RawRequest) => Promise<RawResponse> {
  return ({ method = 'GET', target, headers = {}, body = '' }) => {
    const content = Buffer.from(body)
    const fields = { Host: `127.0.0.1:${port}`, Connection: 'close', ...lengthOf(method, content), ...headers }
    const lines = Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((each) => `${name}: ${each}\r\n`),
    )
    return exchangeBytes(
      port,
      Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`), content]),
    )
  }
}

function lengthOf(method: string, content: Buffer): Readonly<Record<string, string>> {
  return content.length > 0 || method === 'POST' || method === 'PUT' ? { 'Content-Length': String(content.length) } : {}
}

/** Sends bytes unchanged over a new connection, and parses the response. */
export function exchangeBytes(port: number, bytes: Uint8Array): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const response = parseResponse(Buffer.concat(chunks))
      if (response === undefined)
        reject(new Error(`expected an HTTP response, received ${JSON.stringify(Buffer.concat(chunks).toString())}`))
      else resolve(response)
    })
  })
}

function parseResponse(bytes: Buffer): RawResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase()
    const value = line.slice(line.indexOf(':') + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const content = bytes.subarray(end + 4)
  const body = headers['transfer-encoding'] === 'chunked' ? unchunk(content) : content
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString(), bytes: body }
}

function unchunk(content: Buffer): Buffer {
  const parts: Buffer[] = []
  let at = 0
  while (at < content.length) {
    const lineEnd = content.indexOf('\r\n', at)
    const size = Number.parseInt(content.subarray(at, lineEnd).toString(), 16)
    if (!(size > 0)) break
    parts.push(content.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return Buffer.concat(parts)
}
