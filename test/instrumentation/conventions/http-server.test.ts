import { createServer, type RequestListener } from 'node:http'
import { createManagement } from 'upkeep'
import type { MeterSnapshot } from 'upkeep/metrics'
import { observe } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

type Conventions = 'micrometer' | 'opentelemetry'

async function serve(conventions: Conventions, listener: RequestListener) {
  const management = createManagement({
    conventions,
    expose: ['health', 'metrics', 'prometheus'],
    metrics: { runtime: false },
  })
  onTestFinished(() => management.close())
  const route = ({ url = '' }) => (url.startsWith('/orders/') ? '/orders/{id}' : undefined)
  const observed = observe(management, { route })
  const port = await listenOn(createServer((req, res) => observed(req, res, () => listener(req, res))))
  return { management, send: createRawClient(port) }
}

function tagsOf({ id }: MeterSnapshot): Readonly<Record<string, string>> {
  return Object.fromEntries(id.tags.map(({ key, value }) => [key, value]))
}

const answer: RequestListener = (req, res) => {
  res.statusCode = req.url === '/missing' ? 404 : req.url === '/orders/broken' ? 500 : 200
  res.end('ok')
}

describe('http.server.requests', () => {
  it('has the tags of Spring Boot 4', async () => {
    const { management, send } = await serve('micrometer', answer)
    await send({ target: '/orders/1' })
    await send({ target: '/missing', method: 'PROPFIND' })
    const read = () => [...management.meters.snapshot('http.server.requests')].map(tagsOf)
    await expect.poll(() => read().length).toBe(2)
    const none = { error: 'none', exception: 'none' }
    expect(read()).toEqual([
      { ...none, method: 'GET', outcome: 'SUCCESS', status: '200', uri: '/orders/{id}' },
      { ...none, method: 'UNKNOWN', outcome: 'CLIENT_ERROR', status: '404', uri: 'NOT_FOUND' },
    ])
  })
})

describe('http.server.requests.active', () => {
  it('is a long task timer with the tags of Spring Boot 4', async () => {
    const during: unknown[] = []
    const { management, send } = await serve('micrometer', (_req, res) => {
      during.push(...management.meters.snapshot('http.server.requests.active'))
      res.end()
    })
    await send({ target: '/orders/1', method: 'POST' })
    expect(during).toMatchObject([{ kind: 'longTaskTimer', activeTasks: 1, id: { baseUnit: 'seconds' } }])
    expect(during.map((one) => tagsOf(one as MeterSnapshot))).toEqual([
      { exception: 'none', method: 'POST', outcome: 'SUCCESS', status: '200', uri: 'UNKNOWN' },
    ])
    const [after] = management.meters.snapshot('http.server.requests.active')
    await expect
      .poll(() => [...management.meters.snapshot('http.server.requests.active')])
      .toMatchObject([{ activeTasks: 0, duration: 0, max: 0 }])
    expect(after?.kind).toBe('longTaskTimer')
  })
})

describe('http.server.request.duration', () => {
  it('has the attributes and the advised buckets of the conventions', async () => {
    const { management, send } = await serve('opentelemetry', answer)
    await send({ target: '/orders/1' })
    await send({ target: '/orders/broken' })
    await send({ target: '/missing', method: 'PROPFIND' })
    const read = () => [...management.meters.snapshot('http.server.request.duration')]
    await expect.poll(() => read().length).toBe(3)
    const common = { 'url.scheme': 'http', 'network.protocol.version': '1.1' }
    expect(read().map(tagsOf)).toEqual([
      { ...common, 'http.request.method': 'GET', 'http.response.status_code': '200', 'http.route': '/orders/{id}' },
      {
        ...common,
        'http.request.method': 'GET',
        'http.response.status_code': '500',
        'http.route': '/orders/{id}',
        'error.type': '500',
      },
      { ...common, 'http.request.method': '_OTHER', 'http.response.status_code': '404' },
    ])
    expect(read()).toMatchObject([{ kind: 'timer', count: 1, buckets: { bounds } }, {}, {}])
    expect(management.meters.names()).not.toContain('http.server.requests')
  })

  it.each([
    ['before its header section', 0, undefined],
    ['after its header section', 200, '200'],
  ])('has the error type "aborted" for a response that is cut off %s', async (_, status, sent) => {
    const { management, send } = await serve('opentelemetry', (_req, res) => {
      if (status !== 0) res.writeHead(status, { 'Content-Length': '10' }).flushHeaders()
      res.destroy()
    })
    await send({ target: '/orders/1' }).catch(() => {})
    const read = () => [...management.meters.snapshot('http.server.request.duration')]
    await expect.poll(() => read().length).toBe(1)
    expect(read().map(tagsOf)).toMatchObject([{ 'error.type': 'aborted', 'http.route': '/orders/{id}' }])
    expect(read().map((one) => tagsOf(one)['http.response.status_code'])).toEqual([sent])
  })
})

describe('http.server.active_requests', () => {
  it('counts the requests in progress by method and scheme', async () => {
    const during: unknown[] = []
    const { management, send } = await serve('opentelemetry', (_req, res) => {
      during.push(...management.meters.snapshot('http.server.active_requests'))
      res.end()
    })
    await send({ target: '/orders/1' })
    expect(during).toMatchObject([{ kind: 'gauge', value: 1, id: { baseUnit: '{request}' } }])
    expect(during.map((one) => tagsOf(one as MeterSnapshot))).toEqual([
      { 'http.request.method': 'GET', 'url.scheme': 'http' },
    ])
    await expect
      .poll(() => [...management.meters.snapshot('http.server.active_requests')])
      .toMatchObject([{ value: 0 }])
  })
})
