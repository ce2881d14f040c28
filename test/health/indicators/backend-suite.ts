import { getEventListeners } from 'node:events'
import type { Health, HealthCheck } from 'upkeep'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../../support/server-process.ts'

/** An indicator over a client of its own, and what ends the client. */
export interface Connected {
  readonly indicator: HealthCheck
  readonly close: () => unknown
  /** How many connections, listeners and waiting callers the client has at the moment. */
  readonly load?: () => number
}

export interface BackendSuite {
  /** The client, such as `a Pool of pg`. */
  readonly client: string
  readonly connect: (url: string) => Promise<Connected>
  /** The details of an answer, `latency` apart. */
  readonly details: Readonly<Record<string, unknown>>
  /** The details that stay when there is no answer. @default those of an answer */
  readonly context?: Readonly<Record<string, unknown>>
  /** Whether a connection that hangs is closed at the deadline, as one of a pool can be. @default false */
  readonly isPool?: boolean
  /**
   * What the client does with a command while its server is gone: refuse it, or keep it for later. @default 'refuses'
   */
  readonly whileGone?: 'refuses' | 'waits'
  /** Whether the client finds its server again after it was gone. @default true */
  readonly comesBack?: boolean
  /** Whether a closed client connects again for the next command. @default false */
  readonly reopens?: boolean
}

const inTime = { timeout: 180_000, interval: 20 }

/** Longer than an answer takes, short enough to wait for one that does not come. */
const shortDeadline = 300

/** What must hold for an indicator over every client, with a real server: up, hanging, gone, and back again. */
export function testBackend(server: () => TestServer, suite: BackendSuite): void {
  const { client, connect, details, context = details } = suite
  const { isPool = false, whileGone = 'refuses', comesBack = true, reopens = false } = suite
  const up = { status: 'UP', details: { ...details, latency: expect.stringMatching(/^\d+(\.\d+)?ms$/) } }
  const down = { status: 'DOWN', details: { ...context, error: expect.stringMatching(/^\w+: ./) } }
  const silent = 'no answer by the deadline'

  describe(`over ${client}`, () => {
    let connected: Connected
    beforeAll(async () => {
      connected = await connect(server().url)
    })
    afterAll(() => connected.close())

    const check = (): Promise<unknown> => checkWithin(connected.indicator, 5_000)
    const checkSoon = (): Promise<unknown> => checkWithin(connected.indicator, shortDeadline)

    it('is UP with its details', async () => {
      expect(await check()).toEqual(up)
    })

    it('uses no more memory after many checks than after one', async () => {
      const [resources, load] = [countResources(), connected.load?.()]
      for (let times = 0; times < 20; times++) {
        expect(await check()).toEqual(up)
      }

      await expect.poll(() => connected.load?.(), inTime).toBe(load)
      await expect.poll(countResources, inTime).toBeLessThanOrEqual(resources + 1)
    })

    it('sends nothing once the signal has aborted', async () => {
      const reason = new Error('too late')

      await expect(connected.indicator(AbortSignal.abort(reason))).rejects.toBe(reason)
    })

    it('rejects with the reason of the signal while the server hangs', async () => {
      const sockets = countResources('TCPSocketWrap')
      server().freeze()

      expect(await checkSoon()).toBe(silent)
      await expect.poll(() => countResources('TCPSocketWrap'), inTime).toBe(isPool ? sockets - 1 : sockets)
    })

    it('leaves nothing behind after any number of checks meanwhile', async () => {
      const resources = countResources()
      const load = connected.load?.() ?? 0
      for (let times = 0; times < 200; times++) {
        const controller = new AbortController()
        const answer = connected.indicator(controller.signal)
        await new Promise(setImmediate)
        controller.abort(new Error('deadline'))
        await expect(answer).rejects.toThrow('deadline')
        expect(getEventListeners(controller.signal, 'abort')).toEqual([])
      }

      expect(countResources()).toBeLessThanOrEqual(resources + 10)
      expect(connected.load?.() ?? 0).toBeLessThanOrEqual(load + 3)
    })

    it('is UP when the server continues', async () => {
      server().thaw()

      await expect.poll(check, inTime).toEqual(up)
    })

    it(whileGone === 'waits' ? 'waits while the server is gone' : 'is DOWN while the server is gone', async () => {
      await server().stop()

      await expect.poll(checkSoon, inTime).toEqual(whileGone === 'waits' ? silent : down)
      expect(await checkSoon()).toEqual(whileGone === 'waits' ? silent : down)
    })

    it(comesBack ? 'is UP when the server is back' : 'stays DOWN, because the client does not reconnect', async () => {
      await server().start()

      await expect.poll(check, inTime).toEqual(comesBack ? up : down)
    })

    if (comesBack) {
      // RabbitMQ takes many seconds to start again.
      it('recovers when the server dies during a check', { timeout: 600_000 }, async () => {
        server().freeze()
        const answer = checkSoon()
        for (let turn = 0; turn < 10; turn++) {
          await new Promise(setImmediate)
        }
        await server().kill()

        expect([down, silent]).toContainEqual(await answer)
        await server().start()
        await expect.poll(check, inTime).toEqual(up)
      })
    }

    it(
      reopens ? 'is up once the client is closed, for it connects again' : 'is down once the client is closed',
      async () => {
        await connected.close()

        await expect.poll(check, inTime).toEqual(reopens ? up : down)
      },
    )

    async function checkWithin(indicator: HealthCheck, milliseconds: number): Promise<string | Health> {
      const signal = AbortSignal.timeout(milliseconds)
      try {
        return await indicator(signal)
      } catch (error) {
        expect(getEventListeners(signal, 'abort')).toEqual([])
        expect(error).toBe(signal.reason)
        return silent
      }
    }
  })
}

/** Sockets, pipes and timers that this process holds, or those of a kind. */
function countResources(kind?: string): number {
  return process.getActiveResourcesInfo().filter((name) => (kind === undefined ? name !== 'Immediate' : name === kind))
    .length
}
