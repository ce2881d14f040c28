import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { post } from './http-client.ts'
import type { ServedApp } from './serve-app.ts'

const start = 'POST /hooks/KEY HTTP/1.1\r\nHost: a\r\n'
const typed = `${start}Content-Type: application/json\r\n`

export function survivesBrokenHttp(app: () => ServedApp): void {
  describe('survives a sender of', () => {
    it.each([
      ['no HTTP', 'hello\r\n\r\n'],
      ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['a method of its own making', 'P\x00ST /hooks/KEY HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['a blank in the target', 'POST /hooks/ KEY HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['no Host', 'POST /hooks/KEY HTTP/1.1\r\n\r\n'],
      ['a blank before the colon', `${start}A : a\r\n\r\n`],
      ['a length of -1', `${start}Content-Length: -1\r\n\r\n`],
      ['two lengths', `${start}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
      ['a length and chunks', `${start}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      ['headers of 100 kB', `${start}X-A: ${'a'.repeat(100_000)}\r\n\r\n`],
      ['a chunk of no size', `${typed}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`],
      ['a body that is cut off', `${typed}Content-Length: 90\r\n\r\n{"text":"a"}`],
      ['chunks that are cut off', `${typed}Transfer-Encoding: chunked\r\n\r\nc\r\n{"text":"a"}\r\n`],
    ])('%s', async (_name, sent) => {
      const { hostname, port } = new URL(app().origin)
      const socket = connect(Number(port), hostname)
      socket.end(sent.replace('KEY', app().key), 'latin1')
      // The server may reset the connection of a sender that had more to say, and its answer may be lost with it.
      const response: Buffer[] = await socket.toArray().catch(() => [])
      expect(Buffer.concat(response).toString()).toMatch(/^$|^HTTP\/1\.1 4\d\d /)
      expect((await post(app().origin, app().key, 'still here')).body).toBe('ok')
      expect(await app().texts()).toEqual(['still here'])
    })
  })
}
