import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { bearerToken, createManagement, type Endpoint, type ManagementOptions } from 'upkeep'
import { listen, manage, shutdownGracefully } from 'upkeep/node'
import { createResources } from 'upkeep/rest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { type CreateListener, listeners } from './listeners.ts'

const idleLimit = 200

/** An endpoint of the application: queues that can be read, cleared and followed. */
function createQueues() {
  const sizes = new Map([['mail', 3]])
  const events: string[] = []
  const endpoint: Endpoint = {
    id: 'queues',
    routes: [
      {
        path: 'queues',
        resource: { get: () => json(Object.fromEntries(sizes)) },
      },
      {
        path: 'queues/events',
        resource: {
          get: ({ signal }) => ({
            offers: [{ mediaType: 'text/event-stream', render: () => follow(signal) }],
            caching: 'no-store',
            isEndless: true,
          }),
        },
      },
      {
        path: 'queues/slow',
        resource: {
          async get({ query, signal, extendIdleTimeout }) {
            if (query.has('extended')) extendIdleTimeout('10s')
            signal.addEventListener('abort', () => events.push('aborted'))
            await delay(idleLimit * 4, undefined, { signal })
            return json('late')
          },
        },
      },
      {
        path: 'queues/dump',
        resource: {
          get: () => ({
            offers: [{ mediaType: 'text/plain', render: () => lines() }],
            caching: 'no-store',
          }),
        },
      },
      {
        path: 'queues/{name}',
        resource: {
          get({ variables: [name = ''] }) {
            if (name === 'broken') throw new Error('the broker is down')
            const size = sizes.get(name)
            return size === undefined ? undefined : json(size)
          },
          delete({ variables: [name = ''] }) {
            sizes.set(name, 0)
            return undefined
          },
        },
      },
    ],
    describe: () => ({
      queues: {
        GET: {
          summary: 'The sizes of all queues.',
          responses: [{ status: 200, description: 'The sizes.', content: [{ mediaType: 'application/json' }] }],
        },
      },
      'queues/{name}': { DELETE: { summary: 'Clears a queue.' } },
    }),
  }

  async function* follow(signal: AbortSignal) {
    events.push('begun')
    signal.addEventListener('abort', () => events.push('aborted'))
    try {
      yield 'data: 1\n\n'
      yield Buffer.from('data: 2\n\n')
      await once(signal, 'abort')
    } finally {
      events.push('ended')
    }
  }

  async function* lines() {
    yield 'mail '
    yield 'is '
    yield 'full'
  }
  return { endpoint, events, sizes }
}

function json(value: unknown) {
  return {
    offers: [{ mediaType: 'application/json', render: () => JSON.stringify(value) }],
    caching: 'no-cache',
  } as const
}

const token = { authorization: 'Bearer let-me-in' }

async function start(createListener: CreateListener, options: ManagementOptions = {}) {
  const queues = createQueues()
  const reports: unknown[][] = []
  const management = createManagement({
    endpoints: [queues.endpoint],
    expose: ['health', 'queues'],
    authorize: bearerToken('let-me-in'),
    report: (...report) => reports.push(report),
    ...options,
  })
  const server = createServer(createListener(management))
  server.setTimeout(idleLimit)
  const port = await listenOn(server)
  onTestFinished(() => {
    management.close()
    server.closeAllConnections()
    server.close()
  })
  return { ...queues, management, server, port, reports, send: createRawClient(port) }
}

/** Starts a request with credentials; resolves with the response when its header has arrived. */
async function open(port: number, path: string): Promise<IncomingMessage> {
  const [response] = await once(get({ port, host: '127.0.0.1', path, headers: token, agent: false }), 'response')
  response.setEncoding('utf8')
  return response
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

describe.each(Object.entries(listeners))('an endpoint of the application, with %s,', (name, createListener) => {
  it('is served if it is exposed, to authorized callers', async () => {
    const { send } = await start(createListener)
    const target = '/management/queues'
    expect(await send({ target })).toMatchObject({ status: 401 })
    const httpResponse = await send({ target, headers: token })
    expect(httpResponse).toMatchObject({ status: 200, body: '{"mail":3}' })
    expect(httpResponse.headers).toMatchObject({ 'content-type': 'application/json', etag: expect.any(String) })
    expect(await send({ target: '/management/queues/mail', headers: token })).toMatchObject({ status: 200, body: '3' })
    expect(await send({ target: '/management/queues/none', headers: token })).toMatchObject({ status: 404 })
  })

  it('responds to HEAD and OPTIONS, and with 405 to other methods', async () => {
    const { send } = await start(createListener)
    const head = await send({ method: 'HEAD', target: '/management/queues', headers: token })
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '10', ''])
    const options = await send({ method: 'OPTIONS', target: '/management/queues/mail' })
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, DELETE, OPTIONS'])
    const refused = await send({ method: 'PUT', target: '/management/queues/mail', headers: token })
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD, DELETE, OPTIONS'])
    expect(JSON.parse(refused.body).detail).toBe('Method not allowed; use GET, HEAD, DELETE or OPTIONS.')
  })

  it('does not read streamed content for HEAD', async () => {
    const { send, events } = await start(createListener)
    const head = await send({ method: 'HEAD', target: '/management/queues/events', headers: token })
    expect([head.status, head.headers['content-type'], events]).toEqual([200, 'text/event-stream', []])
  })

  it('allows changes for authorized callers', async () => {
    const { send, sizes } = await start(createListener)
    const target = '/management/queues/mail'
    expect(await send({ method: 'DELETE', target })).toMatchObject({ status: 401 })
    expect(
      await send({ method: 'DELETE', target, headers: { ...token, origin: 'https://evil.example' } }),
    ).toMatchObject({
      status: 403,
    })
    expect(sizes.get('mail')).toBe(3)
    expect(await send({ method: 'DELETE', target, headers: token })).toMatchObject({ status: 204 })
    expect(sizes.get('mail')).toBe(0)
  })

  it('responds with 500 to an error of its handler, which is reported', async () => {
    const { send, reports } = await start(createListener)
    const httpResponse = await send({ target: '/management/queues/broken', headers: token })
    expect([httpResponse.status, httpResponse.headers['content-type']]).toEqual([500, 'application/problem+json'])
    expect(httpResponse.body).not.toContain('broker')
    expect(reports).toEqual([['GET /management/queues/broken failed', new Error('the broker is down')]])
  })

  it('streams strings and bytes as they are created', async () => {
    const { port, events } = await start(createListener)
    const response = await open(port, '/management/queues/events')
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    let received = ''
    for await (const chunk of response) {
      received += chunk
      if (received === 'data: 1\n\ndata: 2\n\n') break
    }
    await until(() => events.includes('ended'))
    expect(events).toEqual(['begun', 'aborted', 'ended'])
  })

  it('streams content to its end, compressed on request', async () => {
    const { send } = await start(createListener)
    const target = '/management/queues/dump'
    expect(await send({ target, headers: token })).toMatchObject({ status: 200, body: 'mail is full' })
    const gzipped = await send({ target, headers: { ...token, 'accept-encoding': 'gzip' } })
    expect(gzipped.headers['content-encoding']).toBe('gzip')
  })

  it('does not compress endless content', async () => {
    const { send } = await start(createListener)
    const headers = { ...token, 'accept-encoding': 'gzip' }
    const head = await send({ method: 'HEAD', target: '/management/queues/events', headers })
    expect(head.headers['content-encoding']).toBeUndefined()
  })

  it('has an aborted signal when the client disconnects, which is not reported', async () => {
    const { port, reports, server, events } = await start(createListener)
    const request = get({ port, host: '127.0.0.1', path: '/management/queues/slow?extended', headers: token })
    request.on('error', () => {})
    await once(server, 'request')
    await delay(10)
    request.destroy()
    await until(() => events.includes('aborted'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(reports).toEqual([])
  })

  // A Request does not show its socket.
  it.skipIf(name === 'fetch')('extends the idle limit of the server (fetch has no server)', async () => {
    const { send } = await start(createListener)
    await expect(send({ target: '/management/queues/slow', headers: token })).rejects.toThrow()
    expect(await send({ target: '/management/queues/slow?extended', headers: token })).toMatchObject({
      status: 200,
      body: '"late"',
    })
  })

  it('ends an endless response when the drain of a graceful shutdown begins', async () => {
    const { port, server, management, events } = await start(createListener)
    server.setTimeout(0)
    const response = await open(port, '/management/queues/events')
    const { shutdown, remove } = shutdownGracefully(server, management, { delay: '0s', signals: [], exit: () => {} })
    onTestFinished(remove)
    const steps = shutdown('test')
    let received = ''
    for await (const chunk of response) received += chunk
    expect([received, response.complete]).toEqual(['data: 1\n\ndata: 2\n\n', true])
    expect(await steps).toMatchObject([{ name: 'requests', outcome: 'done' }])
    expect(events).toEqual(['begun', 'aborted', 'ended'])
  })
})

describe('access to an endpoint of the application', () => {
  const serve = async (options: ManagementOptions) => {
    const { send } = await start((management) => manage(management), options)
    return async (method: string, target = '/management/queues/mail', headers = {}) =>
      (await send({ method, target, headers })).status
  }

  it('covers reading and writing separately', async () => {
    const status = await serve({ access: { queues: { read: 'public', write: { roles: ['ops'] } } } })
    expect([await status('GET'), await status('HEAD'), await status('DELETE')]).toEqual([200, 200, 401])
    expect(await status('DELETE', undefined, token)).toBe(403)
  })

  it('hides operations without permitted callers', async () => {
    const status = await serve({ access: { queues: { write: 'none' } } })
    expect([await status('DELETE', undefined, token), await status('GET', undefined, token)]).toEqual([405, 200])
  })

  it.each(['constructor', 'toString', 'valueOf'])('is not public if its id is %s', async (id) => {
    const endpoint: Endpoint = { id, routes: [{ path: id, resource: { get: () => json('hello') } }] }
    const status = await serve({ endpoints: [endpoint], expose: [id], access: {} })
    expect([await status('GET', `/management/${id}`), await status('GET', `/management/${id}`, token)]).toEqual([
      401, 200,
    ])
  })

  it("is not public by '*', but by its own rule or that of its resource", async () => {
    expect(await (await serve({ access: { '*': 'public' } }))('GET')).toBe(401)
    expect(await (await serve({ access: { queues: 'public' } }))('GET')).toBe(200)
    const declared: Endpoint = {
      id: 'motd',
      routes: [{ path: 'motd', resource: { access: 'public', get: () => json('hello') } }],
    }
    const options = { endpoints: [declared], expose: ['motd'] }
    expect(await (await serve(options))('GET', '/management/motd')).toBe(200)
    expect(await (await serve({ ...options, access: { '*': 'authorized' } }))('GET', '/management/motd')).toBe(401)
  })
})

describe('an endpoint of the application', () => {
  it('is absent unless it is exposed', async () => {
    const { send } = await start((management) => manage(management), { expose: ['health'] })
    expect(await send({ target: '/management/queues', headers: token })).toMatchObject({ status: 404 })
    expect((await send({ target: '/management' })).body).not.toContain('queues')
  })

  it('is linked on the discovery page', async () => {
    const { send } = await start((management) => manage(management))
    const { _links: links } = JSON.parse((await send({ target: '/management' })).body)
    expect(links).toMatchObject({
      queues: { templated: false },
      'queues-events': { templated: false },
      'queues-name': { href: expect.stringMatching(/\/management\/queues\/\{name\}$/), templated: true },
    })
  })

  it('is described in OpenAPI, with the credentials that it requires', async () => {
    const { management } = await start((each) => manage(each), { access: { queues: { read: 'public' } } })
    const { paths } = createResources({
      resources: [],
      description: { title: 'Orders', version: '1', management },
    }).describe() as { paths: Record<string, Record<string, { summary: string; security?: unknown }>> }
    expect(paths['/management/queues']?.['get']).toMatchObject({ summary: 'The sizes of all queues.' })
    expect(paths['/management/queues']?.['get']?.security).toBeUndefined()
    expect(paths['/management/queues/{name}']?.['get']?.summary).toBe('GET of the endpoint queues.')
    expect(paths['/management/queues/{name}']?.['delete']).toMatchObject({
      summary: 'Clears a queue.',
      security: [{ credentials: [] }],
    })
  })

  // The signal of a request to Hono is that of its server.
  it.each(['node:http', 'Express', 'Koa', 'Fastify'] as const)(
    'aborts the signals of pipelined requests by one listener, with %s',
    async (name) => {
      const warnings: Error[] = []
      const warn = (warning: Error) => void warnings.push(warning)
      process.on('warning', warn)
      onTestFinished(() => void process.off('warning', warn))
      const { port, server, events } = await start(listeners[name])
      let requests = 0
      server.on('request', () => {
        requests += 1
      })
      const socket = connect(port, '127.0.0.1')
      socket.write(
        'GET /management/queues/slow?extended HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer let-me-in\r\n\r\n'.repeat(
          20,
        ),
      )
      await until(() => requests === 20)
      await delay(10)
      socket.destroy()
      await until(() => events.length === 20)
      expect(new Set(events)).toEqual(new Set(['aborted']))
      expect(warnings).toEqual([])
    },
  )

  it('is served by listen, whose idle limit it extends', async () => {
    const management = createManagement({
      endpoints: [createQueues().endpoint],
      expose: ['queues'],
      access: { queues: 'public' },
    })
    const { address, close } = await listen(management, { port: 0, idleTimeout: `${idleLimit}ms` })
    onTestFinished(close)
    const send = createRawClient(address.port)
    await expect(send({ target: '/management/queues/slow' })).rejects.toThrow()
    expect(await send({ target: '/management/queues/slow?extended' })).toMatchObject({ status: 200, body: '"late"' })
  })

  it.each<[unknown, RegExp]>([
    [{ expose: ['queue'] }, /expose\[0\].*health, info, metrics, prometheus, loggers, .*queues.*"queue"/],
    [{ access: { queue: 'public' } }, /access\.queue/],
    [
      { endpoints: [{ id: 'health', routes: [{ path: 'health', resource: { get: () => undefined } }] }] },
      /endpoints\[0\]/,
    ],
    [
      { endpoints: [{ id: 'a/b', routes: [{ path: 'a/b', resource: { get: () => undefined } }] }] },
      /endpoints\[0\]\.id/,
    ],
    [
      { endpoints: [{ id: 'a', routes: [{ path: 'health', resource: { get: () => undefined } }] }] },
      /endpoints\[0\].routes/,
    ],
    [{ endpoints: [{ id: 'a', routes: [{ path: 'a', resource: {} }] }] }, /endpoints\[0\]\.routes\[0\]\.resource/],
    [{ endpoints: [{ id: 'a', routes: [] }] }, /endpoints\[0\]\.routes/],
    [{ expose: ['queues'] }, /queues.*authorize/],
  ])('is refused in case %#, with the option named', (options, message) => {
    const endpoints = [createQueues().endpoint]
    const create = () => createManagement({ endpoints, ...(options as ManagementOptions) })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })
})
