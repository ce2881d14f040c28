import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { text } from 'node:stream/consumers'
import { systemClock } from 'upkeep/adapter'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDrain, type Drain } from '../../src/lifecycle/shutdown/drain.ts'
import { listenOn } from '../support/listen.ts'
import { cert, key } from '../support/localhost-certificate.ts'

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe.each([
  ['in the clear', 'http', () => createServer()],
  ['over TLS', 'https', () => createSecureServer({ key, cert, allowHTTP1: true })],
] as const)('a drain of HTTP/2 %s', (_how, scheme, create) => {
  let server: Http2Server | Http2SecureServer
  let drain: Drain
  let session: ClientHttp2Session
  const streams: ServerHttp2Stream[] = []
  const sessions: ServerHttp2Session[] = []

  beforeEach(async () => {
    server = create()
    streams.length = 0
    sessions.length = 0
    server.on('session', (session: ServerHttp2Session) => void sessions.push(session))
    server.on('stream', (stream: ServerHttp2Stream, { ':path': path }) => {
      streams.push(stream)
      stream.on('error', () => undefined)
      if (path === '/quick') stream.end('quick')
    })
    drain = createDrain(server, systemClock)
    const port = await listenOn(server)
    session = connect(`${scheme}://127.0.0.1:${port}`, { rejectUnauthorized: false })
    session.on('error', () => undefined)
    await once(session, 'connect')
  })
  afterEach(() => {
    session.destroy()
    drain.destroy()
    server.close()
  })

  const get = (path: string): ClientHttp2Stream => session.request({ ':path': path })

  it('closes a session that is idle', async () => {
    expect(await text(get('/quick'))).toBe('quick')
    const closed = once(session, 'close')
    await drain.begin(1_000)
    await closed
  })

  it('finishes active requests, and sends their number in GOAWAY', async () => {
    const slow = get('/slow')
    await once(server, 'stream')
    const [goaway, ended] = [once(session, 'goaway'), drain.begin(1_000)]
    const [code, lastStream] = await goaway
    expect([code, lastStream]).toEqual([0, slow.id])
    streams[0]?.end('slow')
    expect(await text(slow)).toBe('slow')
    await ended
  })

  it('refuses as not processed what is sent before the client receives GOAWAY', async () => {
    const slow = get('/slow')
    await once(server, 'stream')
    const ended = drain.begin(1_000)
    while (sessions[0]?.closed === false) await nextTurn()
    await expect(text(get('/quick'))).rejects.toThrow('NGHTTP2_REFUSED_STREAM')
    streams[0]?.end('slow')
    expect(await text(slow)).toBe('slow')
    await ended
  })

  it('allows no new stream after the client has received GOAWAY', async () => {
    const slow = get('/slow')
    await once(server, 'stream')
    const ended = drain.begin(1_000)
    await once(session, 'goaway')
    // Node's client says so when it is asked, or later.
    const refused = expect((async () => text(get('/quick')))()).rejects.toThrow()
    streams[0]?.end('slow')
    expect(await text(slow)).toBe('slow')
    await Promise.all([refused, ended])
    expect(streams).toHaveLength(1)
  })

  it('destroys a stream that never ends', async () => {
    const slow = get('/slow')
    slow.on('error', () => undefined)
    await once(server, 'stream')
    const ended = drain.begin(1_000)
    const closed = once(slow, 'close')
    expect(drain.destroy()).toBe(1)
    await closed
    await ended
  })
})
