import { connect } from 'node:net'

/** A request as it goes over the wire; `target` and header values are sent as they are, well formed or not. */
export interface Ask {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number
  /** By lower-case name; several of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The content as it came, after its framing. */
  readonly bytes: Uint8Array
}

/** Sends one request over a socket of its own to 127.0.0.1, and reads until the server closes it. */
export function askOver(port: number): (request: Ask) => Promise<Answer> {
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

/** Sends bytes as they are. */
export function exchangeBytes(port: number, bytes: Uint8Array): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const answer = parseAnswer(Buffer.concat(chunks))
      if (answer === undefined) reject(new Error(`no HTTP answer: ${JSON.stringify(Buffer.concat(chunks).toString())}`))
      else resolve(answer)
    })
  })
}

function parseAnswer(bytes: Buffer): Answer | undefined {
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
