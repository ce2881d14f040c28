import { getEventListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent } from 'node:https'
import { http } from 'upkeep/health'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { cert, key } from '../../support/localhost-certificate.ts'
import { type HttpServer, startHttp } from '../../support/start-http.ts'

const never = new AbortController().signal
const latency = expect.stringMatching(/^\d+(\.\d+)?ms$/)

describe('http', () => {
  let server: HttpServer
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  beforeAll(async () => {
    server = await startHttp((request, response) => answer(request, response))
  })
  afterAll(() => server.dispose())

  it('is UP with the URL, the status and the latency', async () => {
    answer = (_, response) => response.end('fine')

    expect(await http(`${server.url}/health`)(never)).toEqual({
      status: 'UP',
      details: { url: `${server.url}/health`, status: 200, latency },
    })
  })

  it.each([301, 404, 500, 503])('is down at %d', async (status) => {
    answer = (_, response) => response.writeHead(status, { location: '/elsewhere' }).end()

    expect(await http(new URL(server.url))(never)).toEqual({
      status: 'DOWN',
      details: { url: `${server.url}/`, status, latency },
    })
  })

  it.each([
    [401, 401, 'UP'],
    [401, 200, 'DOWN'],
    [[200, 401], 401, 'UP'],
    [[200, 401], 204, 'DOWN'],
    [(status: number) => status < 500, 404, 'UP'],
    [(status: number) => status < 500, 500, 'DOWN'],
  ])('with the expected status %o and the status %d is %s', async (expectedStatus, status, expected) => {
    answer = (_, response) => response.writeHead(status).end()

    expect(await http(server.url, { expectedStatus })(never)).toMatchObject({ status: expected, details: { status } })
  })

  it('sends the method and the headers', async () => {
    let received: IncomingMessage | undefined
    answer = (request, response) => {
      received = request
      response.end()
    }

    await http(`${server.url}/x?y`, { method: 'HEAD', headers: { 'x-probe': 'upkeep' } })(never)

    expect(received).toMatchObject({ method: 'HEAD', url: '/x?y', headers: { 'x-probe': 'upkeep' } })
  })

  it('sends the user name and password of the URL, and never shows them', async () => {
    let authorization: string | undefined
    answer = (request, response) => {
      authorization = request.headers.authorization
      response.end()
    }
    const url = `${server.url.replace('//', '//ops:p%40ss%2Fw@')}/?token=s3cret&page=1`

    expect(await http(url)(never)).toMatchObject({
      details: { url: `${server.url.replace('//', '//***@')}/?token=***&page=1` },
    })
    expect(authorization).toBe(`Basic ${Buffer.from('ops:p@ss/w').toString('base64')}`)
  })

  it('is DOWN with the reason if the connection is refused', async () => {
    const port = await freePort()

    expect(await http(`http://u:secret@127.0.0.1:${port}/`)(never)).toEqual({
      status: 'DOWN',
      details: { url: `http://***@127.0.0.1:${port}/`, error: `Error: connect ECONNREFUSED 127.0.0.1:${port}` },
    })
  })

  it('is DOWN if the connection breaks within the body', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      setImmediate(() => response.destroy())
    }

    expect(await http(server.url)(never)).toMatchObject({
      status: 'DOWN',
      details: { error: 'Error: aborted (ECONNRESET)' },
    })
  })

  it('stops reading an endless body', async () => {
    answer = (_, response) => {
      const write = () => {
        while (response.write(Buffer.alloc(16_384))) {}
      }
      response.on('drain', write)
      write()
    }

    expect(await http(server.url)(never)).toMatchObject({ status: 'UP' })
    await expect.poll(server.connections).toBe(0)
  })

  it.each([
    ['nothing', (_: IncomingMessage, _response: ServerResponse) => {}],
    ['half a body', (_: IncomingMessage, response: ServerResponse) => void response.writeHead(200).write('half')],
  ])('rejects with the reason of the signal if the server sends %s, and closes the connection', async (_, hang) => {
    const reached = new Promise<void>((resolve) => {
      answer = (request, response) => {
        hang(request, response)
        resolve()
      }
    })
    const controller = new AbortController()
    const reason = new Error('deadline')
    const health = http(server.url)(controller.signal)
    await reached
    controller.abort(reason)

    await expect(health).rejects.toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    await expect.poll(server.connections).toBe(0)
  })

  it('opens no connection once the signal has aborted', async () => {
    const reason = new Error('too late')

    await expect(http(server.url)(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(server.connections()).toBe(0)
  })

  it('keeps no connection open', async () => {
    answer = (_, response) => response.end('fine')
    await http(server.url)(never)

    await expect.poll(server.connections).toBe(0)
  })

  it.each([
    [299, 'UP'],
    [300, 'DOWN'],
  ])('is UP up to 299: %d', async (status, expected) => {
    answer = (_, response) => response.writeHead(status).end()

    expect(await http(server.url)(never)).toMatchObject({ status: expected })
  })

  it('refuses an unknown option, and names the one that was meant', () => {
    expect(() => http(server.url, { statusCode: 200 } as object)).toThrow(
      new TypeError('http: unknown option "statusCode"; did you mean "expectedStatus"?'),
    )
    expect(() => http(server.url, { timeout: '1s' } as object)).toThrow(
      'http: unknown option "timeout"; write it beside the check: { check: http(…), timeout: "5s" }',
    )
  })

  it.each(['/health', 'ftp://example.org/', 'not a url', 'ftp://u:secret@example.org/'])('rejects %j', (url) => {
    expect(() => http(url)).toThrow(/^http: expected an absolute URL of http or https, received /)
    expect(() => http(url)).not.toThrow(/secret/)
  })
})

describe('http over TLS', () => {
  let server: HttpServer
  beforeAll(async () => {
    server = await startHttp((_, response) => response.end('fine'), { cert, key })
  })
  afterAll(() => server.dispose())

  it('is DOWN with an untrusted certificate', async () => {
    expect(await http(server.url)(never)).toMatchObject({
      status: 'DOWN',
      details: { error: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') },
    })
  })

  it('is UP with an agent that trusts the authority', async () => {
    const agent = new Agent({ ca: cert, servername: 'localhost' })

    expect(await http(server.url, { agent })(never)).toMatchObject({ status: 'UP' })
    agent.destroy()
  })
})
