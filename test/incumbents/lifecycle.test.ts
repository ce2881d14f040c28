import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { type GracefulShutdown, manage, type ShutdownOptions, shutdownGracefully } from 'upkeep/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { listenOn } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

/** How other libraries shut down, each fault under the name of the one that has it. */
describe('unlike others, a shutdown', () => {
  const open: { shutdown: GracefulShutdown; close: () => void }[] = []

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => {
    for (const { shutdown, close } of open.splice(0)) {
      shutdown.remove()
      close()
    }
    vi.useRealTimers()
  })

  async function start(options: ShutdownOptions = {}) {
    const management = createManagement({ health: { indicators: { db: () => 'UP' }, showComponents: 'always' } })
    const server = createServer(manage(management))
    const exits: number[] = []
    const report = () => undefined
    const shutdown = shutdownGracefully(server, management, {
      report,
      exit: (code) => void exits.push(code),
      ...options,
    })
    open.push({ shutdown, close: () => server.close() })
    const send = createRawClient(await listenOn(server))
    return { shutdown, exits, status: async (path: string) => (await send({ target: `/management/${path}` })).status }
  }

  it('leaves the given list of signals unchanged: @godaddy/terminus', async () => {
    const signals: NodeJS.Signals[] = ['SIGTERM']
    await start({ signals })
    expect(signals).toEqual(['SIGTERM'])
  })

  it('does not wait for a hanging hook indefinitely: @godaddy/terminus', async () => {
    const { shutdown } = await start({
      delay: '0ms',
      hooks: [{ name: 'hang', run: () => new Promise(() => undefined) }],
    })
    void shutdown.shutdown()
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(1_000)
      expect(await Promise.race([shutdown.finished, undefined])).toBeDefined()
    })
    expect((await shutdown.finished).at(-1)).toMatchObject({ name: 'hang', outcome: 'timed out' })
  })

  it('stays live while it drains: lightship, @cloudnative/health, @nestjs/terminus', async () => {
    const { shutdown, status } = await start()
    void shutdown.shutdown()
    expect(await Promise.all(['liveness', 'readiness', 'db'].map((path) => status(`health/${path}`)))).toEqual([
      200, 503, 200,
    ])
    expect(await status('health')).toBe(503)
  })

  it('exits with 0: lightship', async () => {
    const { shutdown, exits } = await start({ delay: '0ms' })
    void shutdown.shutdown()
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(1)
      expect(exits).toEqual([0])
    })
  })

  it('runs its hooks once with repeated probes, and waits for them: @cloudnative/health', async () => {
    let runs = 0
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const pool = async () => {
      runs += 1
      await held
    }
    const { shutdown, status, exits } = await start({ hooks: [pool] })
    void shutdown.shutdown()
    for (let probes = 0; probes < 5; probes += 1) await status('health/readiness')
    expect(runs).toBe(0)
    await vi.advanceTimersByTimeAsync(5_000)
    await eventually(() => expect(runs).toBe(1))
    expect(exits).toEqual([])
    release()
    expect((await shutdown.finished).at(-1)).toMatchObject({ name: 'pool', outcome: 'done' })
    expect(runs).toBe(1)
  })
})
