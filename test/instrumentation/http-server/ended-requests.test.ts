import { once } from 'node:events'
import { createServer, get, type RequestListener } from 'node:http'
import { createManagement } from 'upkeep'
import { observe as observeFetch } from 'upkeep/fetch'
import type { EndedRequest } from 'upkeep/instrumentation'
import { handleErrors, observe } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

/** Copies what a record says: it is valid during the call only. */
function copy(request: EndedRequest) {
  const { method, template, status, isAborted, seconds, error, exception, trace, path } = request
  const { requestBytes, responseBytes } = request
  return { method, template, status, isAborted, seconds, error, exception, trace, path, requestBytes, responseBytes }
}

async function serve(respond: RequestListener) {
  const reports: unknown[][] = []
  const management = createManagement({ tracing: true, report: (...report) => reports.push(report) })
  const observed = observe(management, { route: (req) => (req.url === '/nowhere' ? undefined : '/orders/:id') })
  const server = createServer(
    handleErrors((req, res) => observed(req, res, () => respond(req, res)), { report: () => {} }),
  )
  const port = await listenOn(server)
  onTestFinished(() => {
    management.close()
    server.closeAllConnections()
    server.close()
  })
  const ended: ReturnType<typeof copy>[] = []
  const unsubscribe = management.observation.onRequestEnd((request) => void ended.push(copy(request)))
  return { management, server, port, ended, reports, unsubscribe, send: createRawClient(port) }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

describe('a subscriber to ended requests', () => {
  it('receives one record of each request, with template, status, duration, trace and sizes', async () => {
    const { send, ended } = await serve((req, res) => {
      req.resume()
      res.setHeader('Content-Length', 7).end('shipped')
    })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await send({ method: 'POST', target: '/orders/7?secret=1', headers: { traceparent }, body: 'ship' })
    await until(() => ended.length === 1)
    expect(ended).toEqual([
      {
        method: 'POST',
        template: '/orders/:id',
        status: 200,
        isAborted: false,
        seconds: expect.any(Number),
        error: undefined,
        exception: 'none',
        trace: expect.objectContaining({ traceId: '0af7651916cd43dd8448eb211c80319c' }),
        path: '/orders/7',
        requestBytes: 4,
        responseBytes: 7,
      },
    ])
  })

  it('receives the error of a request that failed', async () => {
    const failure = new RangeError('too many')
    const { send, ended } = await serve(() => {
      throw failure
    })
    await send({ target: '/nowhere' })
    await until(() => ended.length === 1)
    expect(ended).toMatchObject([{ status: 500, error: failure, exception: 'RangeError', template: undefined }])
  })

  it('receives a request whose client disconnects', async () => {
    const { port, server, ended } = await serve(() => {})
    const request = get({ port, host: '127.0.0.1', path: '/orders/7' }).on('error', () => {})
    await once(server, 'request')
    request.destroy()
    await until(() => ended.length === 1)
    expect(ended).toMatchObject([{ status: -1, isAborted: true }])
  })

  it('is called after the time of the request is recorded', async () => {
    const { management, send } = await serve((_req, res) => res.end())
    const counts: number[] = []
    management.observation.onRequestEnd(({ template = '' }) => {
      const tags = { uri: template, method: 'GET', status: '200', outcome: 'SUCCESS', exception: 'none', error: 'none' }
      counts.push(management.meters.timer('http.server.requests', tags).count)
    })
    await send({ target: '/orders/7' })
    await until(() => counts.length === 1)
    expect(counts).toEqual([1])
  })

  it('affects no other subscriber if it throws, and is reported once', async () => {
    const { management, send, ended, reports } = await serve((_req, res) => res.end())
    const error = new Error('no disk')
    management.observation.onRequestEnd(() => {
      throw error
    })
    for (const target of ['/orders/1', '/orders/2']) expect(await send({ target })).toMatchObject({ status: 200 })
    await until(() => ended.length === 2)
    expect(reports).toEqual([['a subscriber to ended requests failed', error]])
  })

  it('is not called after it has unsubscribed', async () => {
    const { send, ended, unsubscribe } = await serve((_req, res) => res.end())
    unsubscribe()
    await send({ target: '/orders/1' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).toEqual([])
  })

  it('receives requests of a fetch server', async () => {
    const management = createManagement()
    onTestFinished(management.close)
    const ended: ReturnType<typeof copy>[] = []
    management.observation.onRequestEnd((request) => void ended.push(copy(request)))
    const handle = observeFetch(management, { route: () => '/orders/:id' })
    const request = new Request('http://orders.example/orders/7')
    const response = await handle(request, () => new Response('shipped', { headers: { 'Content-Length': '7' } }))
    await response.text()
    expect(ended).toMatchObject([{ method: 'GET', template: '/orders/:id', status: 200, responseBytes: 7 }])
  })
})
