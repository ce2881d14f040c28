import type { ServerResponse } from 'node:http'
import { createManagement } from 'upkeep'
import { type Listening, type ListenOptions, listen } from 'upkeep/node'
import { afterEach, describe, expect, it } from 'vitest'
import { keepAlive } from '../support/keep-alive.ts'
import { createRawClient, exchangeBytes, type RawResponse } from '../support/raw-client.ts'

const open: Listening[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function start(options: Partial<ListenOptions> = {}) {
  let check = (): unknown => 'UP'
  const management = createManagement({
    expose: ['health', 'prometheus'],
    health: { indicators: { db: { check: () => check() as 'UP', cache: '0ms' } } },
  })
  const listening = await listen(management, { port: 0, ...options })
  open.push(listening)
  const { port } = listening.address
  return {
    ...listening,
    port,
    sendRequest: createRawClient(port),
    bytes: (text: string) => exchangeBytes(port, Buffer.from(text)),
    answerBy: (next: () => unknown) => {
      check = next
    },
  }
}

const title = ({ body }: RawResponse) => JSON.parse(body).title

describe('listen', () => {
  it('serves the management on a port of its own, and returns the address', async () => {
    const { sendRequest, address } = await start()
    expect(address).toMatchObject({ address: '127.0.0.1', family: 'IPv4', port: expect.any(Number) })
    expect((await sendRequest({ target: '/management/health/readiness' })).body).toBe('{"status":"UP"}')
  })

  it('responds with 404 to anything else', async () => {
    const { sendRequest } = await start()
    const httpResponse = await sendRequest({ target: '/orders' })
    expect([httpResponse.status, httpResponse.headers['content-type']]).toEqual([404, 'application/problem+json'])
  })

  it('rejects when the port is taken', async () => {
    const { port } = await start()
    await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it.each(['headersTimeout', 'requestTimeout', 'idleTimeout'])(
    'rejects with the name of an invalid duration: %s',
    async (name) => {
      await expect(start({ [name]: 'soon' })).rejects.toThrow(
        new RangeError(`listen: ${name}: expected a duration such as "5s", received "soon"`),
      )
    },
  )

  it('closes immediately without pending responses, including idle connections', async () => {
    const { port, close } = await start()
    const idle = await keepAlive(port)
    await idle.get('/management/health')
    await close()
    await idle.closed
    await expect(keepAlive(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('completes pending responses before it is closed', async () => {
    const { port, close, answerBy } = await start()
    let release: (status: string) => void = () => undefined
    const requested = new Promise<void>((resolve) => {
      answerBy(() => {
        resolve()
        return new Promise((httpResponse) => {
          release = httpResponse
        })
      })
    })
    const connection = await keepAlive(port)
    const httpResponse = connection.get('/management/health')
    await requested
    const closed = close()
    release('DOWN')
    expect(await httpResponse).toMatchObject({ status: 503, connection: 'close' })
    await closed
  })
})

describe('a malformed HTTP request', () => {
  it.each([
    ['bytes of another protocol', '\x16\x03\x01\x02\x00', 400, 'Bad Request'],
    ['a request line of nothing', 'HELLO\r\n\r\n', 400, 'Bad Request'],
    ['a header field without a colon', 'GET / HTTP/1.1\r\nHost\r\n\r\n', 400, 'Bad Request'],
    [
      'two lengths',
      'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'Bad Request',
    ],
    [
      'a header that is too long',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
  ])(
    '(%s) is responded to with an error document, and the connection is closed',
    async (_name, text, status, phrase) => {
      const { bytes } = await start()
      const httpResponse = await bytes(text)
      expect([httpResponse.status, httpResponse.headers['connection'], title(httpResponse)]).toEqual([
        status,
        'close',
        phrase,
      ])
      expect(httpResponse.headers).toMatchObject({
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'content-length': String(Buffer.byteLength(httpResponse.body)),
      })
    },
  )

  it.each([
    ['a header that does not come', 'GET / HTTP/1.1\r\nHost: localhost\r\n', 408],
    // The rest of a request refused for its method is not awaited; its connection is closed in time nevertheless.
    [
      'a body that does not come',
      'POST /management/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc',
      405,
    ],
  ])('(%s) times out', async (_name, text, status) => {
    const { bytes } = await start({ headersTimeout: '100ms', requestTimeout: '200ms' })
    expect((await bytes(text)).status).toBe(status)
  })

  it('does not cut off earlier responses on the same connection', async () => {
    const { port } = await start()
    const connection = await keepAlive(port)
    expect(await connection.get('/management/health')).toMatchObject({ status: 200 })
    connection.send('nonsense\r\n\r\n')
    expect(await connection.next()).toMatchObject({ status: 400, connection: 'close' })
    await connection.closed
  })

  it('closes the connection without a response while an earlier request is pending', async () => {
    const { port, answerBy } = await start()
    answerBy(() => new Promise(() => undefined))
    const connection = await keepAlive(port)
    connection.send('GET /management/health HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n')
    await expect(connection.next()).rejects.toThrow('closed after ""')
  })

  it('writes nothing into the first of two pipelined responses while it is sent', async () => {
    const { server, port, answerBy } = await start()
    const requested = new Promise<void>((resolve) => {
      answerBy(() => {
        resolve()
        return new Promise(() => undefined)
      })
    })
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    server.prependOnceListener('request', (_request, response: ServerResponse) => {
      // Like a page that is rendered in slices: one chunk, and the others in later turns of the event loop.
      response.writeHead(200).write('a chunk', () => begin())
    })
    const connection = await keepAlive(port)
    let received = ''
    connection.socket.on('data', (text) => {
      received += text
    })
    const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    connection.send(get('/elsewhere') + get('/management/health'))
    await Promise.all([begun, requested])
    connection.send('nonsense\r\n\r\n')
    await connection.closed
    expect(received).toContain('a chunk')
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })
})
