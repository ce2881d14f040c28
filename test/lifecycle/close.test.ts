import { channel } from 'node:diagnostics_channel'
import { createServer, get, type Server } from 'node:http'
import { createPool } from 'generic-pool'
import { bearerToken, createManagement, type Management, type ManagementOptions } from 'upkeep'
import { eventLoop, http } from 'upkeep/health'
import { instrument, poolMeters } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { createMeterRegistry } from 'upkeep/metrics'
import { listen, manage, observe, shutdownGracefully, watchdog } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'
import { pushMetrics } from 'upkeep/prometheus'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listenOn } from '../support/listen.ts'
import { requestWith } from '../support/management-request.ts'
import { followHandles, type OpenHandles } from '../support/open-handles.ts'
import { readText } from '../support/read-text.ts'

/** Uses a feature, so that it has everything that it ever opens, and returns how to end it. */
type Use = () => Promise<() => unknown>

const quiet: ManagementOptions = { metrics: { runtime: false }, report: () => undefined }

let peer: Server
let url: string

beforeAll(async () => {
  // Whatever connects to it has a connection of its own, and answers are fine for an OTLP receiver and a Pushgateway.
  peer = createServer((_request, response) => response.setHeader('Connection', 'close').end())
  url = `http://127.0.0.1:${await listenOn(peer)}`
})
afterAll(() => {
  peer.close()
  peer.closeAllConnections()
})

/** Requests without a pool of connections, which would be the test's. */
function request(address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(address, { agent: false }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode))
    }).on('error', reject)
  })
}

const features: readonly (readonly [string, Use])[] = [
  [
    'createManagement, with everything that it measures, checks in the background and traces',
    async () => {
      const loop = eventLoop({ window: '0ms' })
      const management = createManagement({
        expose: ['health', 'info', 'metrics', 'prometheus'],
        tracing: true,
        metrics: { expireAfter: { timer: '1s' } },
        health: {
          indicators: {
            background: { check: () => 'UP', refresh: '10ms' },
            hanging: { check: () => new Promise<never>(() => undefined), timeout: '1h' },
            loop,
            peer: http(url),
          },
        },
        report: () => undefined,
      })
      management.meters.timer('orders', {}, { percentiles: [0.5] }).record(1)
      void management.health.check()
      await management.health.check('peer')
      await management.health.check('loop')
      return () => {
        management.close()
        return loop
      }
    },
  ],
  [
    'createManagement, with a console and two viewers of it',
    async () => {
      const headers = { authorization: 'Bearer let-me-in' }
      // Dropped at the end: a histogram that is no longer enabled is open until it is collected.
      let management: Management | undefined = createManagement({
        ...{ ...quiet, expose: ['console'], authorize: bearerToken('let-me-in') },
      })
      const view = () => management?.({ ...requestWith(headers), target: '/management/console/stream' })
      const bodies = (await Promise.all([view(), view()])).map((viewed) => viewed?.body as AsyncIterable<Uint8Array>)
      const reading = Promise.all(bodies.map(readText))
      return async () => {
        management?.close()
        management = undefined
        await reading
      }
    },
  ],
  [
    'createMeterRegistry',
    async () => {
      const meters = createMeterRegistry({ expireAfter: { counter: '1s', timer: '1s' } })
      meters.counter('orders').increment()
      meters.timer('time', {}, { percentiles: [0.5] }).record(1)
      return () => meters.close()
    },
  ],
  [
    'listen',
    async () => {
      const management = createManagement(quiet)
      const { address, close } = await listen(management, { port: 0 })
      await request(`http://127.0.0.1:${address.port}/management/health`)
      return async () => {
        await close()
        management.close()
      }
    },
  ],
  [
    'watchdog',
    async () => {
      const management = createManagement(quiet)
      const { port, close } = await watchdog(management, { port: 0 })
      await request(`http://127.0.0.1:${port}/management/health/liveness`)
      return async () => {
        await close()
        management.close()
      }
    },
  ],
  [
    'a watchdog that cannot listen',
    async () => {
      const management = createManagement(quiet)
      const port = Number(new URL(url).port)
      await expect(watchdog(management, { port })).rejects.toThrow('EADDRINUSE')
      return management.close
    },
  ],
  [
    'shutdownGracefully, removed',
    async () => {
      const management = createManagement(quiet)
      const before = peer.eventNames().length
      const { remove } = shutdownGracefully(peer, management)
      await request(url)
      return () => {
        remove()
        management.close()
        expect(peer.eventNames()).toHaveLength(before)
      }
    },
  ],
  [
    'shutdownGracefully, finished',
    async () => {
      const management = createManagement(quiet)
      const server = createServer((_request, response) => response.end())
      const port = await listenOn(server)
      const { shutdown } = shutdownGracefully(server, management, { delay: '0ms', exit: () => undefined })
      await request(`http://127.0.0.1:${port}`)
      return async () => {
        await shutdown()
        management.close()
      }
    },
  ],
  [
    'manage and observe of node:http',
    async () => {
      const management = createManagement({ ...quiet, tracing: true })
      const watch = observe(management)
      const serve = manage(management)
      const server = createServer((req, res) => void watch(req, res, () => serve(req, res)))
      const port = await listenOn(server)
      await request(`http://127.0.0.1:${port}/management/health`)
      return () => {
        management.close()
        return new Promise((resolve) => server.close(resolve))
      }
    },
  ],
  [
    'instrument',
    async () => {
      const management = createManagement({ ...quiet, tracing: true })
      const end = instrument(management)
      await request(url)
      return () => {
        end()
        management.close()
      }
    },
  ],
  [
    'instrument, ended with its management',
    async () => {
      const management = createManagement({ ...quiet, tracing: true })
      instrument(management)
      await request(url)
      return management.close
    },
  ],
  [
    'startTelemetry',
    async () => {
      const management = createManagement(quiet)
      const telemetry = await startTelemetry({
        management,
        url,
        application: { name: 'orders' },
        metrics: { step: '1s' },
        report: () => undefined,
      })
      management.observation.span('work', () => undefined)
      await telemetry.flush()
      return async () => {
        await telemetry.shutdown()
        management.close()
      }
    },
  ],
  [
    'startTelemetry, whose receiver is away',
    async () => {
      const management = createManagement(quiet)
      const telemetry = await startTelemetry({
        management,
        url: 'http://127.0.0.1:1',
        application: { name: 'orders' },
        flushTimeout: '100ms',
        report: () => undefined,
      })
      management.observation.span('work', () => undefined)
      await telemetry.flush()
      return async () => {
        await telemetry.shutdown()
        management.close()
      }
    },
  ],
  [
    'poolMeters',
    async () => {
      const meters = createMeterRegistry()
      const pool = createPool({ create: async () => ({}), destroy: async () => undefined }, { max: 1 })
      const before = pool.eventNames().length
      const end = poolMeters(meters, 'database', pool)
      await pool.use(async () => undefined)
      return async () => {
        end()
        meters.close()
        expect(pool.eventNames()).toHaveLength(before)
        await pool.drain()
        await pool.clear()
      }
    },
  ],
  [
    'pushMetrics',
    async () => {
      const meters = createMeterRegistry()
      meters.counter('orders').increment()
      await pushMetrics(meters, { url, job: 'orders' })
      return () => meters.close()
    },
  ],
  [
    'createLogger',
    async () => {
      createLogger({ application: { name: 'orders' }, level: 'ERROR' }).info('not written')
      return () => undefined
    },
  ],
]

const channels = ['http.client.request.start', 'http.client.response.finish', 'undici:request:create']

/** What listens to the process, as far as upkeep could. */
function listeners() {
  const events = process.eventNames().map((name) => [String(name), process.listenerCount(name)])
  return {
    process: Object.fromEntries(events),
    output: process.stdout.listenerCount('error'),
    channels: channels.filter((name) => channel(name).hasSubscribers),
  }
}

describe('close()', () => {
  let handles: OpenHandles

  beforeEach(() => {
    handles = followHandles()
  })
  afterEach(() => handles.close())

  it.each(features)('leaves no timer, listener, handle or thread active: %s', async (_name, use) => {
    const before = listeners()
    const active = process.getActiveResourcesInfo().sort()
    const close = await handles.run(async () => {
      const end = await use()
      await end()
      return end
    })
    await expect.poll(() => handles.kinds()).toEqual([])
    // Until here it is referenced: nothing ended because it was garbage.
    expect(close).toBeTypeOf('function')
    expect(listeners()).toEqual(before)
    await expect.poll(() => process.getActiveResourcesInfo().sort()).toEqual(active)
  })
})
