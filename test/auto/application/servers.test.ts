import { once } from 'node:events'
import { connect } from 'node:http2'
import { connect as connectSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRawClient } from '../../support/raw-client.ts'
import { type Recorded, type RunningApplication, startApplication } from './application.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

describe('several servers of one application', () => {
  let running: RunningApplication
  let recorded: Recorded
  let http2Traces: readonly string[]

  beforeAll(async () => {
    const settings = JSON.stringify({ logTraceIds: false, routes: ['/http2/:name', '/files/*'] })
    running = await startApplication('servers', { form: 'esm', env: { TEST_SETTINGS: settings } })
    const [first = 0, second = 0, third = 0, fourth = 0] = running.started.ports ?? []
    const send = createRawClient(first)
    await send({ target: '/express/1' })
    await send({ target: '/broken' })
    await upgrade(first)
    await createRawClient(second)({ target: '/koa/1' })
    http2Traces = [await getOverHttp2(third, '/http2/orders'), await getOverHttp2(fourth, '/http2/streams')]
    await getOverHttp2(third, '/files/a/b')
    await getOverHttp2(fourth, '/http2/reset').catch(() => undefined)
    recorded = await running.recorded(({ counts }) => counts.length >= 7)
  })
  afterAll(() => running?.end())

  it('are observed, whatever their listeners are and whenever they were created; upgrades are not', () => {
    expect(Object.fromEntries(recorded.counts)).toEqual({
      'UNKNOWN GET 502 SERVER_ERROR TypeError': 1,
      '/express/:id GET 200 SUCCESS none': 1,
      '/koa/:id GET 200 SUCCESS none': 1,
      '/http2/:name GET 200 SUCCESS none': 1,
      '/http2/:name GET 202 SUCCESS none': 1,
      '/http2/:name GET 499 ABORTED none': 1,
      '/files/* GET 200 SUCCESS none': 1,
    })
    expect(recorded.reports).toEqual([])
  })

  it('are traced, also over HTTP/2', () => {
    expect(http2Traces).toEqual([traceId, traceId])
    expect(recorded.spans.filter(({ name }) => name === 'GET /http2/:name')).toHaveLength(3)
  })
})

describe('with an OpenTelemetry SDK and its instrumentation of node:http', () => {
  let running: RunningApplication
  beforeAll(async () => {
    running = await startApplication('official', { form: 'esm', env: { TEST_TRACING: 'off' } })
  })
  afterAll(() => running?.end())

  it('uses the span of the SDK', async () => {
    await createRawClient(running.port)({ target: '/', headers: { traceparent } })
    const recorded = await running.recorded(({ counts }) => counts.length > 0)
    expect(recorded.counts).toEqual([['UNKNOWN GET 200 SUCCESS none', 1]])
    expect(recorded.spans).toEqual([{ name: 'GET', kind: 1, traceId }])
    expect(recorded.reports).toEqual([])
  })
})

async function upgrade(port: number): Promise<void> {
  const socket = connectSocket({ port, host: '127.0.0.1' })
  socket.write('GET /express/2 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 101/)
}

async function getOverHttp2(port: number, path: string): Promise<string> {
  const session = connect(`http://127.0.0.1:${port}`)
  try {
    return await text(session.request({ ':path': path, traceparent }))
  } finally {
    // A session left open after a reset stream would fail when the application ends.
    session.close()
    if (!session.destroyed) await once(session, 'close')
  }
}
