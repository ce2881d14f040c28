import type { Server } from 'node:net'
import type { Management } from 'upkeep'
import { createManagement } from 'upkeep'
import { type GracefulShutdown, shutdownGracefully } from 'upkeep/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type KeepAliveConnection, keepAlive } from '../support/keep-alive.ts'
import { listenOn } from '../support/listen.ts'

/** Routes of the application behind a server, with control over their responses. */
export interface Desk {
  /** `/quick` responds immediately, `/slow` when it is released, and `/fail` never. */
  respondTo(path: string): Promise<string>
  /** Resolves when a slow request has arrived. */
  readonly arrived: Promise<void>
  release(): void
}

export function createDesk(): Desk {
  let arrive: () => void = () => undefined
  let release: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    async respondTo(path) {
      if (path === '/fail') throw new Error('no such desk')
      if (path === '/slow') {
        arrive()
        await released
      }
      return path
    },
    arrived,
    release,
  }
}

export interface ShutdownSubject {
  /** Creates a server that serves the management and the routes, and does not listen yet. */
  readonly create: (management: Management, desk: Desk) => Server
  readonly tls?: boolean
}

/** The behavior of every server towards HTTP/1 clients when it is shut down, with any framework. */
export function gracefulShutdown({ create, tls = false }: ShutdownSubject): void {
  let port: number
  let desk: Desk
  let server: Server
  let shutdown: GracefulShutdown
  const clients: KeepAliveConnection[] = []
  const log: string[] = []

  async function client(): Promise<KeepAliveConnection> {
    const connection = await keepAlive(port, { tls })
    clients.push(connection)
    return connection
  }

  async function connects(): Promise<boolean> {
    return client().then(
      () => true,
      () => false,
    )
  }

  beforeEach(async () => {
    // The test controls the clock of the delay; sockets use real time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    desk = createDesk()
    log.length = 0
    const management = createManagement()
    server = create(management, desk)
    shutdown = shutdownGracefully(server, management, {
      delay: '1h',
      hooks: [{ name: 'pool', run: () => void log.push('pool closed') }],
      report: () => undefined,
      exit: (code) => void log.push(`exit ${code}`),
    })
    port = await listenOn(server)
  })
  afterEach(() => {
    desk.release()
    for (const { socket } of clients.splice(0)) socket.destroy()
    shutdown.remove()
    server.close()
    vi.useRealTimers()
  })

  const passDelay = () => vi.advanceTimersByTime(3_600_000)

  describe('a graceful shutdown', () => {
    it('keeps serving during the delay, not ready but alive', async () => {
      const connection = await client()
      expect((await connection.get('/management/health/readiness')).status).toBe(200)
      void shutdown.shutdown()
      expect((await connection.get('/management/health/readiness')).status).toBe(503)
      expect((await connection.get('/management/health/liveness')).status).toBe(200)
      expect(await connection.get('/quick')).toMatchObject({ status: 200, connection: 'keep-alive' })
      expect(await (await client()).get('/quick')).toMatchObject({ status: 200, connection: 'keep-alive' })
    })

    it('closes idle connections after the delay, completes pending responses, and then runs hooks', async () => {
      const [idle, busy] = [await client(), await client()]
      await idle.get('/quick')
      busy.send('GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
      await desk.arrived
      void shutdown.shutdown()
      passDelay()
      await idle.closed
      expect(await connects()).toBe(false)
      expect(log).toEqual([])
      desk.release()
      expect(await busy.next()).toEqual({ status: 200, connection: 'close', body: '/slow' })
      await busy.closed
      const steps = await shutdown.finished
      expect(steps.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(['requests done', 'pool done'])
      await eventually(() => expect(log).toEqual(['pool closed', 'exit 0']))
    })

    it.each(['/quick', '/fail', '/management/health/liveness'])(
      'sends Connection: close in response to %s, if part of the request arrived before',
      async (target) => {
        const connection = await client()
        connection.send(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n`)
        const busy = await client()
        busy.send('GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
        await desk.arrived
        void shutdown.shutdown()
        passDelay()
        await eventually(() => expect(shutdown.draining.aborted).toBe(true))
        connection.send('\r\n')
        expect(await connection.next()).toMatchObject({
          status: target === '/fail' ? 500 : 200,
          connection: 'close',
        })
        await connection.closed
      },
    )

    it('cuts off a request that never ends after the timeout, and continues', async () => {
      const busy = await client()
      busy.send('GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
      await desk.arrived
      void shutdown.shutdown()
      passDelay()
      await eventually(() => expect(server.listening).toBe(false))
      expect(busy.socket.closed).toBe(false)
      vi.advanceTimersByTime(10_000)
      await busy.closed
      const steps = await shutdown.finished
      expect(steps.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(['requests timed out', 'pool done'])
    })
  })
}
