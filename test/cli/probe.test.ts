import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { probe } from '../../src/cli/probe.ts'
import { listenOn } from '../support/listen.ts'

async function serve(server: Server): Promise<string> {
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${await listenOn(server)}`
}

describe('upkeep probe', () => {
  it.each([
    [200, true],
    [204, true],
    [302, false],
    [404, false],
    [503, false],
  ])('that receives %d is successful: %s', async (status, ok) => {
    const url = await serve(createServer((_, res) => res.writeHead(status).end()))
    expect(await probe([`${url}/health`])).toEqual({ ok, message: `${url}/health responded with ${status}` })
  })

  it('waits for the final response after a 103', async () => {
    const url = await serve(
      createServer((_, res) => {
        res.writeEarlyHints({ link: '</a>; rel=preload' })
        res.writeHead(503).end()
      }),
    )
    expect((await probe([url])).ok).toBe(false)
  })

  it('fails after its timeout', async () => {
    const server = createTcpServer((socket) => socket.on('error', () => undefined).resume())
    const url = await serve(server)
    expect(await probe([url, '--timeout', '20ms'])).toEqual({ ok: false, message: `${url}/: no response within 20 ms` })
  })

  it('fails if nothing listens, and if the response is not HTTP', async () => {
    expect(await probe(['http://127.0.0.1:1/'])).toMatchObject({
      ok: false,
      message: expect.stringContaining('ECONNREFUSED'),
    })
    const url = await serve(createTcpServer((socket) => socket.end('220 mail.example\r\n')))
    expect(await probe([url])).toMatchObject({ ok: false, message: `${url}/: the response is not HTTP/1` })
    const silent = await serve(createTcpServer((socket) => socket.end('HTTP/1.1')))
    expect(await probe([silent])).toMatchObject({
      ok: false,
      message: `${silent}/: the connection was closed without a response`,
    })
  })

  it('fails when interim responses do not end, without buffering them', async () => {
    const interim = 'HTTP/1.1 102 Processing\r\n\r\n'
    const url = await serve(
      createTcpServer((socket) =>
        socket.on('error', () => undefined).write(interim.repeat(65_536 / interim.length + 1)),
      ),
    )
    expect(await probe([url])).toEqual({ ok: false, message: `${url}/: no final response within 65536 bytes` })
  })

  it('with --wait repeats the request until it succeeds', async () => {
    const statuses = [503, 503, 200]
    const respond: RequestListener = (_, res) => res.writeHead(statuses.shift() ?? 500).end()
    const url = await serve(createServer(respond))
    expect(await probe(['--wait', '20s', url])).toEqual({ ok: true, message: `${url}/ responded with 200` })
    expect(statuses).toEqual([])
  })

  it('with --wait fails with the last result when the time has passed', async () => {
    const url = await serve(createServer((_, res) => res.writeHead(503).end()))
    expect(await probe(['--wait=50ms', url])).toEqual({
      ok: false,
      message: `not ready within 0.05 s: ${url}/ responded with 503`,
    })
  })

  it.each([
    [[], /expected a URL/],
    [['http://a/', 'http://b/'], /expected one URL, received http:\/\/b\/ as well/],
    [['http://a/', '--timeout', 'soon'], /--timeout: expected a duration such as 500ms or 3s, received soon/],
    [['http://a/', '--timeout=0s'], /--timeout: expected a duration/],
    [['http://a/', '--wait=long'], /--wait: expected a duration such as 60s, received long/],
    [['http://a/', '--retries=3'], /unknown option --retries;/],
    [['localhost:3000'], /expected a URL such as/],
  ])('%j is rejected without a request', async (words, message) => {
    expect(await probe(words)).toMatchObject({ ok: false, message: expect.stringMatching(message) })
  })
})
