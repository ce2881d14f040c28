import { createServer } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { probe } from '../../src/command/probe.ts'
import { listenOn } from '../support/listen.ts'

async function serve(server: Server): Promise<string> {
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${await listenOn(server)}`
}

describe('a probe', () => {
  it.each([
    [200, true],
    [204, true],
    [302, false],
    [404, false],
    [503, false],
  ])('that is answered with %d is fine: %s', async (status, ok) => {
    const url = await serve(createServer((_, res) => res.writeHead(status).end()))
    expect(await probe([`${url}/health`])).toEqual({ ok, says: `${url}/health answered ${status}` })
  })

  it('waits for the answer behind a 103', async () => {
    const url = await serve(
      createServer((_, res) => {
        res.writeEarlyHints({ link: '</a>; rel=preload' })
        res.writeHead(503).end()
      }),
    )
    expect((await probe([url])).ok).toBe(false)
  })

  it('gives up when its time is over', async () => {
    const server = createTcpServer((socket) => socket.on('error', () => undefined).resume())
    const url = await serve(server)
    expect(await probe([url, '--timeout', '20ms'])).toEqual({ ok: false, says: `${url}/: no answer within 20 ms` })
  })

  it('is not fine where nobody answers, or no HTTP', async () => {
    expect(await probe(['http://127.0.0.1:1/'])).toMatchObject({
      ok: false,
      says: expect.stringContaining('ECONNREFUSED'),
    })
    const url = await serve(createTcpServer((socket) => socket.end('220 mail.example\r\n')))
    expect(await probe([url])).toMatchObject({ ok: false, says: `${url}/: closed the connection without an answer` })
  })

  it.each([
    [[], /an address is missing/],
    [['http://a/', 'http://b/'], /one address is asked/],
    [['http://a/', '--timeout', 'soon'], /--timeout must be a duration/],
    [['http://a/', '--timeout=0s'], /--timeout must be a duration/],
    [['http://a/', '--retries=3'], /there is no option --retries/],
    [['localhost:3000'], /is no address/],
  ])('%j is not asked', async (words, message) => {
    expect(await probe(words)).toMatchObject({ ok: false, says: expect.stringMatching(message) })
  })
})
