import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createDrain, type Drain } from '../../src/lifecycle/shutdown/drain.ts'
import { eventually } from '../support/eventually.ts'
import { type KeepAliveConnection, keepAlive } from '../support/keep-alive.ts'
import { listenOn } from '../support/listen.ts'

const servers: Server[] = []
const clients: KeepAliveConnection[] = []

afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server that answers by `answer`, and a clock that moves only when it is told. */
async function serve(respond: (response: ServerResponse) => void = (response) => void response.end()) {
  const server = createServer((_request, response) => respond(response))
  servers.push(server)
  let now = 0
  const drain = createDrain(server, { monotonicTime: () => now, wallTime: () => now })
  const port = await listenOn(server)
  const client = async () => {
    // The server knows of a connection later than its client does.
    const accepted = once(server, 'connection')
    const connection = await keepAlive(port)
    clients.push(connection)
    await accepted
    return connection
  }
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { server, drain, client, pass, port }
}

/** Begins, and answers whether it has ended. */
function begin(drain: Drain, idleMilliseconds = 0): () => boolean {
  let ended = false
  void drain.begin(idleMilliseconds).then(() => {
    ended = true
  })
  return () => ended
}

const until = (fact: () => boolean) => eventually(() => expect(fact()).toBe(true))

describe('a drain', () => {
  it('resolves immediately without connections', async () => {
    const { drain } = await serve()
    await drain.begin(0)
  })

  it('resolves for a server that has never listened', async () => {
    await createDrain(createServer(), { monotonicTime: () => 0, wallTime: () => 0 }).begin(0)
  })

  it('waits for the connections of a server that was closed before', async () => {
    let held: ServerResponse | undefined
    const { server, drain, client } = await serve((response) => {
      held = response
    })
    const connection = await client()
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => held !== undefined)
    server.close()
    const ended = begin(drain)
    await until(() => !server.listening)
    expect(ended()).toBe(false)
    held?.end()
    await connection.closed
    await until(ended)
  })

  it('closes a connection with an active response once that has ended', async () => {
    let held: ServerResponse | undefined
    const { drain, client } = await serve((response) => {
      held = response
      response.writeHead(200, { 'Content-Length': 4 }).write('ab')
    })
    const connection = await client()
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => held?.headersSent === true)
    const ended = begin(drain)
    await until(() => !servers[0]?.listening)
    held?.end('cd')
    expect(await connection.next()).toMatchObject({ status: 200, connection: 'keep-alive', body: 'abcd' })
    await connection.closed
    await until(ended)
  })

  it('reads received bytes before it regards a connection as idle', async () => {
    const { drain, client, server } = await serve()
    const connection = await client()
    await connection.get('/')
    // Written, and read by nobody yet: the loop has not turned since.
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(server, 'request')
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const ended = begin(drain)
    await connection.next()
    expect(await connection.next()).toMatchObject({ status: 200, connection: 'close' })
    await until(ended)
  })

  it('waits for a last request on an idle connection, used or unused', async () => {
    const { drain, client, pass, server } = await serve()
    const [used, unused, silent, mute] = [await client(), await client(), await client(), await client()]
    await used.get('/')
    await silent.get('/')
    const ended = begin(drain, 1_000)
    await until(() => !server.listening)
    pass(999)
    expect(await used.get('/')).toMatchObject({ status: 200, connection: 'close' })
    expect(await unused.get('/')).toMatchObject({ status: 200, connection: 'close' })
    await Promise.all([used.closed, unused.closed])
    expect([silent.socket.closed, mute.socket.closed, ended()]).toEqual([false, false, false])
    pass(1)
    await Promise.all([silent.closed, mute.closed])
    await until(ended)
  })

  it('lets an upgraded connection end by itself, or destroys it', async () => {
    const { server, drain, client, pass } = await serve()
    const upgraded: Socket[] = []
    server.on('upgrade', (_request, socket: Socket) => {
      upgraded.push(socket)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
    })
    const [first, second] = [await client(), await client()]
    for (const each of [first, second]) {
      each.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
      expect((await each.next()).status).toBe(101)
    }
    const ended = begin(drain)
    await until(() => !server.listening)
    pass(60_000)
    upgraded[0]?.end()
    first.socket.end()
    await first.closed
    expect([second.socket.closed, ended()]).toEqual([false, false])
    expect(drain.destroy()).toBe(1)
    await second.closed
    await until(ended)
  })

  it('removes its listeners from the server', async () => {
    const server = createServer()
    const before = server.eventNames().map((name) => [name, server.listenerCount(name)])
    createDrain(server, { monotonicTime: () => 0, wallTime: () => 0 }).release()
    expect(server.eventNames().map((name) => [name, server.listenerCount(name)])).toEqual(before)
  })
})
