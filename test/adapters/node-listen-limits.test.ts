import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { basicAuth, createManagement } from 'upkeep'
import { type Listening, type ListenOptions, listen } from 'upkeep/node'
import { afterEach, describe, expect, it } from 'vitest'
import { createManualClock } from '../support/manual-clock.ts'
import { createRawClient } from '../support/raw-client.ts'

const open: Listening[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function start(options: Partial<ListenOptions> = {}) {
  const reports: string[] = []
  const clock = createManualClock()
  const management = createManagement({
    expose: ['health', 'env'],
    authorize: basicAuth({ username: 'ops', password: 'right' }),
    clock,
    report: (message) => void reports.push(message),
  })
  const listening = await listen(management, { port: 0, ...options })
  open.push(listening)
  const { port } = listening.address
  return { ...listening, port, clock, reports, sendRequest: createRawClient(port) }
}

/** Connects, and returns whether the server keeps the connection: it does if it responds. */
async function isAccepted(port: number, localAddress = '127.0.0.1'): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write('GET /management/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [event] = await Promise.race([
    once(socket, 'data').then(() => ['data']),
    once(socket, 'close').then(() => ['close']),
  ])
  return event === 'data'
}

describe('connections of listen', () => {
  it('beyond maxConnections are closed, and reported once a minute', async () => {
    const { port, reports } = await start({ maxConnections: 2 })
    expect([await isAccepted(port), await isAccepted(port)]).toEqual([true, true])
    expect([await isAccepted(port), await isAccepted(port)]).toEqual([false, false])
    expect(reports).toEqual(['listen: a connection was closed: maxConnections is 2'])
  })

  it.skipIf(process.platform !== 'linux')('of one address do not lock out those of others', async () => {
    const { port, reports } = await start({ maxConnectionsPerAddress: 2 })
    expect([await isAccepted(port), await isAccepted(port), await isAccepted(port)]).toEqual([true, true, false])
    expect(await isAccepted(port, '127.0.0.2')).toBe(true)
    expect(reports).toEqual(['listen: a connection was closed: maxConnectionsPerAddress is 2'])
  })

  it('that end make room for others', async () => {
    const { port, server } = await start({ maxConnectionsPerAddress: 1 })
    for (let round = 0; round < 3; round += 1) {
      expect(await isAccepted(port)).toBe(true)
      sockets.splice(0)[0]?.destroy()
      while ((await count(server)) > 0) await new Promise((resolve) => void setImmediate(resolve))
    }
  })

  it.each(['maxConnections', 'maxConnectionsPerAddress'])('have limits of 1 or more: %s', async (name) => {
    await expect(start({ [name]: 0 })).rejects.toThrow(
      new RangeError(`listen: ${name}: expected a whole number of 1 or more, received 0`),
    )
  })
})

describe('failed logins', () => {
  const authorization = (password: string) => ({
    authorization: `Basic ${Buffer.from(`ops:${password}`).toString('base64')}`,
  })

  it('of an address are limited; who was accepted before is not', async () => {
    const { sendRequest, clock } = await start()
    const log = async (password: string) => {
      const { status, headers } = await sendRequest({ target: '/management/env', headers: authorization(password) })
      return headers['retry-after'] === undefined ? status : [status, headers['retry-after']]
    }
    expect(await log('right')).toBe(200)
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await log(`guess ${attempt}`)).toBe(401)
    expect(await log('guess 20')).toEqual([429, '3'])
    expect(await log('right')).toBe(200)
    clock.advance(3_000)
    expect([await log('guess 21'), await log('guess 22')]).toEqual([401, [429, '3']])
  })

  it('beyond the limit leave public operations as they are', async () => {
    const { sendRequest } = await start()
    const statuses = new Set<number>()
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const headers = authorization(`guess ${attempt}`)
      statuses.add((await sendRequest({ target: '/management/health', headers })).status)
    }
    expect([...statuses]).toEqual([200])
  })
})

function count(server: Listening['server']): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, connections) => (error ? reject(error) : resolve(connections))),
  )
}
