import { type ConnectionPool, poolMeters } from 'upkeep/instrumentation'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { databasePoolValues, jdbcValues } from '../../support/pool-meters.ts'

/** A pool of two connections at most, and what can be done with it. */
export interface Subject {
  readonly pool: ConnectionPool
  /** Gets a connection, and answers how to give it back. */
  readonly take: () => Promise<() => unknown>
  /** Uses the pool without getting a connection by hand. */
  readonly use: () => Promise<unknown>
  readonly close: () => unknown
}

/** The tests of `poolMeters` that every pool passes. */
export function testPool(name: string, create: () => Subject | Promise<Subject>): void {
  describe(name, () => {
    it('measures connections, acquisitions, creations and uses', async () => {
      const meters = createMeterRegistry()
      const { pool, take, use, close } = await create()
      const stop = poolMeters(meters, 'orders', pool)
      const figures = () => databasePoolValues(meters, 'orders')
      expect(figures()).toMatchObject({ total: 0, active: 0, idle: 0, pending: 0, max: 2, min: 0 })
      expect(figures()).toMatchObject({ timeout: 0, acquire: 0, creation: 0, usage: 0 })

      const [first, second] = [await take(), await take()]
      expect(figures()).toMatchObject({ total: 2, active: 2, idle: 0, pending: 0, acquire: 2, creation: 2, usage: 0 })
      expect(jdbcValues(meters, 'orders')).toEqual({ active: 2, idle: 0, max: 2, min: 0 })
      const third = take()
      expect(figures()).toMatchObject({ active: 2, pending: 1, acquire: 2 })
      await first()
      const giveBack = await third
      expect(figures()).toMatchObject({ active: 2, acquire: 3, usage: 1 })
      await giveBack()
      await second()
      await use()
      await expect.poll(() => figures()['usage']).toBe(4)
      expect(figures()).toMatchObject({ total: 2, active: 0, idle: 2, pending: 0, acquire: 4, creation: 2, timeout: 0 })
      expect(jdbcValues(meters, 'orders')).toEqual({ active: 0, idle: 2, max: 2, min: 0 })

      stop()
      expect(figures()).toEqual({})
      expect(jdbcValues(meters, 'orders')).toEqual({})
      await use()
      await close()
    })
  })
}

/** The test of a pool that gives up when no connection is free in time. */
export function testGivingUp(name: string, create: () => Subject | Promise<Subject>): void {
  it(`counts acquisitions of ${name} that timed out`, async () => {
    const meters = createMeterRegistry()
    const { pool, take, close } = await create()
    const stop = poolMeters(meters, 'orders', pool)
    const taken = [await take(), await take()]
    await expect(take()).rejects.toThrow(/time/i)
    expect(databasePoolValues(meters, 'orders')).toMatchObject({ acquire: 2, timeout: 1 })
    for (const release of taken) await release()
    stop()
    await close()
  })
}
