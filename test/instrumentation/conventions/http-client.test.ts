import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import type { MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { listenOn } from '../../support/listen.ts'

type Conventions = 'micrometer' | 'opentelemetry'

function instrumented(conventions: Conventions) {
  const management = createManagement({ conventions, metrics: { runtime: false } })
  onTestFinished(() => management.close())
  instrument(management, { undici: { uri: ({ path }) => (path === '/plain' ? undefined : '/orders/{id}') } })
  return management
}

function tagsOf({ id }: MeterSnapshot): Readonly<Record<string, string>> {
  return Object.fromEntries(id.tags.map(({ key, value }) => [key, value]))
}

async function request(port: number, path: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
  await response?.text()
}

function listenWithStatuses(): Promise<number> {
  return listenOn(
    createServer((req, res) => {
      res.statusCode = req.url === '/orders/broken' ? 503 : 200
      res.end('ok')
    }),
  )
}

describe('http.client.requests', () => {
  it('has the tags of Spring Boot 4', async () => {
    const management = instrumented('micrometer')
    const port = await listenWithStatuses()
    for (const path of ['/orders/1', '/orders/broken', '/plain']) await request(port, path)
    const read = () => [...management.meters.snapshot('http.client.requests')].map(tagsOf)
    await expect.poll(() => read().length).toBe(3)
    const common = { 'client.name': '127.0.0.1', method: 'GET', error: 'none', exception: 'none' }
    expect(read()).toEqual([
      { ...common, uri: '/orders/{id}', status: '200', outcome: 'SUCCESS' },
      { ...common, uri: '/orders/{id}', status: '503', outcome: 'SERVER_ERROR' },
      { ...common, uri: 'none', status: '200', outcome: 'SUCCESS' },
    ])
  })
})

describe('http.client.request.duration', () => {
  it('has the attributes and the advised buckets of the conventions', async () => {
    const management = instrumented('opentelemetry')
    const port = await listenWithStatuses()
    const closed = await freePort()
    for (const path of ['/orders/1', '/orders/broken', '/plain']) await request(port, path)
    await request(closed, '/plain')
    const read = () => [...management.meters.snapshot('http.client.request.duration')]
    await expect.poll(() => read().length).toBe(4)
    const common = { 'http.request.method': 'GET', 'server.address': '127.0.0.1', 'server.port': String(port) }
    expect(read().map(tagsOf)).toEqual([
      { ...common, 'http.response.status_code': '200', 'url.template': '/orders/{id}' },
      { ...common, 'http.response.status_code': '503', 'error.type': '503', 'url.template': '/orders/{id}' },
      { ...common, 'http.response.status_code': '200' },
      { ...common, 'server.port': String(closed), 'error.type': 'ECONNREFUSED' },
    ])
    expect(read()[0]).toMatchObject({ kind: 'timer', buckets: { bounds: expect.arrayContaining([0.005, 0.075, 10]) } })
    expect(management.meters.names()).not.toContain('http.client.requests')
  })
})
