import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { resolve } from 'node:path'
import { parseTraceparent, parseTracestate } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'

interface Vector {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly is_traceparent_valid: boolean
  readonly is_tracestate_valid?: boolean
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../vectors/traceparent.json'), 'utf8'),
)

/** The headers of each vector as node:http hands them to a service: names lowered, white space cut, fields joined. */
const received = await sendOverHttp(vectors)

describe("W3C's Trace Context vectors, received by node:http", () => {
  it('contains every vector', () => {
    expect(received).toHaveLength(vectors.length)
    expect(vectors).toHaveLength(83)
  })

  it.each(vectors.map((vector, at) => ({ at, ...vector })))('$at: traceparent of $headers', (vector) => {
    const text = field(received[vector.at], 'traceparent')
    const context = parseTraceparent(text)
    expect(context !== undefined).toBe(vector.is_traceparent_valid)
    if (context !== undefined) expect(text?.slice(3, 52)).toBe(`${context.traceId}-${context.spanId}`)
  })

  it.each(
    vectors.map((vector, at) => ({ at, ...vector })).filter((vector) => vector.is_tracestate_valid !== undefined),
  )('$at: tracestate of $headers', (vector) => {
    const text = field(received[vector.at], 'tracestate') ?? ''
    expect(parseTracestate(text) !== undefined).toBe(vector.is_tracestate_valid && !hasMoreThan32Members(vector))
  })

  it('has one vector of 33 members, which the file calls valid, and the grammar and the harness do not', () => {
    expect(vectors.filter(hasMoreThan32Members)).toMatchObject([{ is_tracestate_valid: true }])
  })
})

function hasMoreThan32Members({ headers }: Vector): boolean {
  const fields = headers.filter(([name]) => name.toLowerCase() === 'tracestate').map(([, value]) => value)
  return fields.join(',').split(',').length > 32
}

function field(headers: IncomingHttpHeaders | undefined, name: string): string | undefined {
  const value = headers?.[name]
  return Array.isArray(value) ? expect.fail(`${name} is not joined`) : value
}

async function sendOverHttp(all: readonly Vector[]): Promise<readonly IncomingHttpHeaders[]> {
  const seen: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    seen[Number(request.url?.slice(1))] = request.headers
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.resume()
  for (const [at, { headers }] of all.entries()) {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const last = at === all.length - 1 ? 'Connection: close\r\n' : ''
    socket.write(`GET /${at} HTTP/1.1\r\nHost: localhost\r\n${last}${lines}\r\n`)
  }
  await once(socket, 'close')
  server.close()
  await once(server, 'close')
  return seen
}
