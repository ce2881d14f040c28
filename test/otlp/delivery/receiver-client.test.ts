import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { createReceiverClient } from '../../../src/otlp/delivery/receiver-client.ts'
import type { ReceiverSettings } from '../../../src/otlp/settings/receiver-settings.ts'
import { deferred } from '../../support/deferred.ts'
import { eventually } from '../../support/eventually.ts'
import { listenOn } from '../../support/listen.ts'

const body = [Buffer.from('a'), Buffer.from('bc')]

async function setUp(handle: RequestListener) {
  const server = createServer(handle)
  const port = await listenOn(server)
  const settings = {
    ...{ url: `http://127.0.0.1:${port}/v1/traces`, headers: {}, timeoutMilliseconds: 60_000, compression: 'none' },
    ...{
      protocol: 'http/protobuf',
      certificates: { ca: undefined, cert: undefined, key: undefined },
      proxy: undefined,
    },
  } as const satisfies ReceiverSettings
  const client = createReceiverClient({
    ...{ settings, contentType: 'application/x-protobuf', certificates: {}, secrets: [], clock: systemClock },
  })
  onTestFinished(() => {
    client.abort()
    server.closeAllConnections()
    server.close()
  })
  return { client, settings }
}

afterEach(() => {
  vi.useRealTimers()
})

it('a request on a connection that the receiver has closed meanwhile is sent again on another one', async () => {
  const received: string[] = []
  const { client } = await setUp(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    received.push(Buffer.concat(chunks).toString())
    if (received.length === 2) res.socket?.resetAndDestroy()
    else res.end()
  })
  expect(await client.send({ body }, 60_000)).toMatchObject({ status: 200 })
  expect(await client.send({ body }, 60_000)).toMatchObject({ status: 200, errorCode: undefined })
  expect(received).toEqual(['abc', 'abc', 'abc'])
})

it('a request on a new connection that the receiver resets is sent once', async () => {
  let count = 0
  const { client } = await setUp((_req, res) => {
    count += 1
    res.socket?.resetAndDestroy()
  })
  expect(await client.send({ body }, 60_000)).toMatchObject({ status: undefined, errorCode: 'ECONNRESET' })
  expect(count).toBe(1)
})

it('a request that is refused on a connection in use is not sent again', async () => {
  let count = 0
  const { client } = await setUp((_req, res) => {
    count += 1
    res.writeHead(count === 2 ? 500 : 200).end()
  })
  await client.send({ body }, 60_000)
  expect(await client.send({ body }, 60_000)).toMatchObject({ status: 500 })
  expect(count).toBe(2)
})

it('a request that is cancelled after the head of its response has both its status and the reason', async () => {
  const answered = deferred()
  const { client } = await setUp((_req, res) => {
    res.writeHead(503, { 'content-length': 10 }).flushHeaders()
    answered.resolve()
  })
  const incoming = vi.spyOn(systemClock, 'wallTime')
  onTestFinished(() => incoming.mockRestore())
  const sent = client.send({ body }, 60_000)
  await answered.promise
  // The time is read when the head arrives.
  await eventually(() => expect(incoming).toHaveBeenCalled())
  client.abort()
  expect(await sent).toMatchObject({ status: 503, errorCode: 'ABORTED' })
})

it('a request that is cancelled just after its time has passed has run out of time', async () => {
  const arrived = deferred()
  const { client } = await setUp(() => arrived.resolve())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
  const sent = client.send({ body }, 1_000)
  await arrived.promise
  vi.advanceTimersByTime(1_001)
  client.abort()
  expect(await sent).toMatchObject({ status: undefined, errorCode: 'TIMEOUT' })
})

it('a request after the end is not sent', async () => {
  const { client } = await setUp(() => expect.unreachable())
  client.abort()
  expect(await client.send({ body }, 1_000)).toMatchObject({ status: undefined, errorCode: 'ABORTED' })
})

it('a request that Node refuses to send has the error as its cause', async () => {
  const { settings } = await setUp(() => expect.unreachable())
  const client = createReceiverClient({
    settings: { ...settings, headers: { 'a b': '1' } },
    ...{ contentType: 'application/x-protobuf', certificates: {}, secrets: [], clock: systemClock },
  })
  expect(await client.send({ body }, 1_000)).toMatchObject({
    status: undefined,
    cause: expect.objectContaining({ code: 'ERR_INVALID_HTTP_TOKEN' }),
  })
})
