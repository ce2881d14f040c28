import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createReceiverLog, reportTo } from '../../../examples/webhook-receiver/log.ts'
import { readSettings } from '../../../examples/webhook-receiver/settings.ts'
import { type Receiver, startReceiver } from '../../../examples/webhook-receiver/start.ts'
import { freePort } from '../../support/free-port.ts'
import { collectLines, type Lines } from '../../support/lines.ts'
import { listenOn } from '../../support/listen.ts'
import { post, sendRequest } from './support/http-client.ts'
import { operate } from './support/operator-client.ts'

const unknownKey = 'abcdefghijkmnopqrstuvwxyz2'

/** Starts a receiver with a PostgreSQL at a port, in this process. */
async function start(databasePort: number): Promise<{ readonly receiver: Receiver; readonly lines: Lines }> {
  const databaseUrl = `postgres://receiver:s3cret@127.0.0.1:${databasePort}/hooks`
  const settings = readSettings({ PORT: '0', DATABASE_URL: databaseUrl, MANAGEMENT_TOKEN: 'a-token' })
  const lines = collectLines()
  const log = createReceiverLog({ logFormat: 'json', logLevel: 'INFO' }, lines.write)
  const receiver = await startReceiver(settings, { newHook: false, log, report: reportTo(log) })
  onTestFinished(() => {
    receiver.server.closeAllConnections()
    receiver.server.close()
  })
  return { receiver, lines }
}

async function expectUnavailable({ url }: Receiver): Promise<void> {
  const probe = async (name: string) =>
    (await sendRequest(url, { method: 'GET', path: `/management/health/${name}` })).status
  expect(await probe('liveness')).toBe(200)
  const refusal = await post(url, unknownKey, 'too early')
  expect(refusal.status).toBe(503)
  expect(refusal.headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '5' })
  expect((await operate(url, 'GET', '/hooks')).status).toBe(503)
}

describe('a receiver whose PostgreSQL is absent when it starts', () => {
  it('is alive and not ready, refuses messages, and logs that it tries again until it is closed', async () => {
    const port = await freePort()
    const { receiver, lines } = await start(port)
    await expectUnavailable(receiver)
    const { status } = await sendRequest(receiver.url, { method: 'GET', path: '/management/health/readiness' })
    expect(status).toBe(503)
    await expect.poll(lines.text).toContain('retrying')
    expect(lines.text()).toContain(`cannot use PostgreSQL at 127.0.0.1:${port}/hooks (DATABASE_URL) yet`)
    expect(lines.text()).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`)
    expect(lines.text()).not.toContain('s3cret')
    await receiver.close()
    expect(await receiver.prepared).toBeUndefined()
  })
})

describe('a receiver whose PostgreSQL accepts connections and does not respond', () => {
  it('is alive, and refuses messages without asking it', async () => {
    const connections: Socket[] = []
    const silent = createServer((socket) => void connections.push(socket))
    const { receiver } = await start(await listenOn(silent))
    onTestFinished(() => void silent.close())
    await expect.poll(() => connections.length).toBe(1)
    await expectUnavailable(receiver)
    expect(connections).toHaveLength(1)
    for (const socket of connections) socket.destroy()
    await receiver.close()
  })
})

describe('a receiver', () => {
  it('responds with an error document to malformed HTTP', async () => {
    const { receiver } = await start(await freePort())
    const { hostname, port } = new URL(receiver.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write('GET /hooks HTTP/1.1\r\nHost: a\r\nIf-Match: 0\x1f\r\n\r\n', 'latin1')
    const response = Buffer.concat(await socket.toArray()).toString()
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*application\/problem\+json/)
    await receiver.close()
  })
})
