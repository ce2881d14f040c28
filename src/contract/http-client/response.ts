import { trimWhiteSpace } from '../../base/white-space.ts'

/** A response as received. */
export interface WireResponse {
  readonly status: number
  /** By lower-case name; repeated fields are joined by commas. */
  readonly fields: ReadonlyMap<string, string>
  /** The content, without its framing. */
  readonly content: Buffer
  /** How the end of the content was determined; `none` for responses without content by definition. */
  readonly framing: 'length' | 'chunked' | 'close' | 'none'
  /** Bytes after the end of the response. */
  readonly rest: Buffer
}

/**
 * Parses the response to a request with `method` (RFC 9112 §6.3). Returns `undefined` if more bytes are needed, which
 * at the end of the connection is an error.
 *
 * @throws Error for malformed HTTP.
 */
export function readResponse(bytes: Buffer, method: string, ended: boolean): WireResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) {
    if (ended) throw new Error(bytes.length === 0 ? 'the connection was closed' : 'incomplete header section')
    return undefined
  }
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const [, code] = /^HTTP\/1\.[01] (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(statusLine) ?? []
  if (code === undefined) throw new Error(`invalid status line ${JSON.stringify(statusLine)}`)
  const status = Number(code)
  const after = bytes.subarray(end + 4)
  // Interim responses, such as 103.
  if (status < 200) return readResponse(after, method, ended)
  const fields = readFields(lines)
  if (method === 'HEAD' || status === 204 || status === 304) {
    return { status, fields, content: Buffer.alloc(0), framing: 'none', rest: after }
  }
  const framed = readContent(fields, after, ended)
  return framed && { status, fields, ...framed }
}

function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of lines) {
    const [, name, text] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line) ?? []
    if (name === undefined || text === undefined) throw new Error(`invalid header field ${JSON.stringify(line)}`)
    const value = trimWhiteSpace(text)
    const known = fields.get(name.toLowerCase())
    fields.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`)
  }
  return fields
}

type Framed = Pick<WireResponse, 'content' | 'framing' | 'rest'>

function readContent(fields: ReadonlyMap<string, string>, after: Buffer, ended: boolean): Framed | undefined {
  const length = fields.get('content-length')
  if (fields.get('transfer-encoding')?.toLowerCase() === 'chunked') {
    if (length !== undefined) throw new Error('both Content-Length and Transfer-Encoding')
    return readChunks(after, ended)
  }
  if (length === undefined) return ended ? { content: after, framing: 'close', rest: Buffer.alloc(0) } : undefined
  if (!/^\d+$/.test(length)) throw new Error(`Content-Length is ${JSON.stringify(length)}`)
  const size = Number(length)
  if (after.length >= size) return { content: after.subarray(0, size), framing: 'length', rest: after.subarray(size) }
  if (ended) throw new Error(`Content-Length is ${size}, but ${after.length} bytes of content were received`)
  return undefined
}

/** Parses chunks (RFC 9112 §7.1), each with a hexadecimal length. */
function readChunks(bytes: Buffer, ended: boolean): Framed | undefined {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) break
    const [, digits] = /^([\da-f]+)(?:;.*)?$/i.exec(bytes.subarray(at, lineEnd).toString('latin1')) ?? []
    if (digits === undefined) throw new Error('invalid chunk length')
    const size = Number.parseInt(digits, 16)
    const start = lineEnd + 2
    if (size === 0) {
      const end = bytes.indexOf('\r\n', start)
      if (end < 0) break
      // Trailer fields end with an empty line.
      const last = end === start ? start : bytes.indexOf('\r\n\r\n', start) + 2
      if (last < start) break
      return { content: Buffer.concat(parts), framing: 'chunked', rest: bytes.subarray(last + 2) }
    }
    if (bytes.length < start + size + 2) break
    if (bytes.subarray(start + size, start + size + 2).toString('latin1') !== '\r\n') {
      throw new Error('a chunk is longer than its length')
    }
    parts.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
  if (ended) throw new Error('the last chunk is missing')
  return undefined
}
