import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { createManagement } from 'upkeep'
import { shutdownGracefully } from 'upkeep/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { keepAlive } from '../support/keep-alive.ts'
import { listenOn } from '../support/listen.ts'

const ends: (() => void)[] = []

// Idle connections are looked for in intervals, which pass when a test says so; sockets have a time of their own.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
})

/** A server that is shutting down while a response with a sent header, and no end, keeps its connection. */
async function shutDownDuringResponse() {
  let now = 0
  const clock = { monotonicTime: () => now, wallTime: () => now }
  const server = createServer((request, response) => {
    if (request.url === '/slow') response.writeHead(200, { 'Content-Length': 4 }).write('ab')
    else response.end()
  })
  const management = createManagement({ metrics: { runtime: false }, report: () => undefined })
  const { shutdown, finished, remove } = shutdownGracefully(server, management, {
    delay: '0ms',
    clock,
    exit: () => undefined,
  })
  const port = await listenOn(server)
  const client = await keepAlive(port)
  ends.push(
    remove,
    management.close,
    () => client.socket.destroy(),
    () => server.closeAllConnections(),
  )
  const requested = once(server, 'request')
  client.send('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, response]: ServerResponse[] = await requested
  void shutdown()
  await eventually(() => expect(server.listening).toBe(false))
  const pass = (milliseconds: number) => {
    now += milliseconds
    vi.advanceTimersByTime(1_000)
  }
  const end = async () => {
    response?.end('cd')
    expect(await client.next()).toMatchObject({ connection: 'keep-alive', body: 'abcd' })
  }
  return { client, pass, end, finished }
}

describe('a connection that becomes idle while its server is shutting down', () => {
  it('is kept for one second, for a request whose response is its last', async () => {
    const { client, pass, end, finished } = await shutDownDuringResponse()
    pass(5_000)
    await end()
    pass(999)
    expect(await client.get('/')).toMatchObject({ status: 200, connection: 'close' })
    await client.closed
    await finished
  })

  it('is closed if no request arrives in that second', async () => {
    const { client, pass, end, finished } = await shutDownDuringResponse()
    pass(5_000)
    await end()
    pass(1_000)
    await client.closed
    await finished
  })
})
