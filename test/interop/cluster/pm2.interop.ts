import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Load, startLoad } from '../../cluster/workers/load.ts'
import { freePort, freePortPair } from '../../support/free-port.ts'
import { createRawClient } from '../../support/raw-client.ts'
import { type Pm2, startPm2 } from './start-pm2.ts'

const patiently = { timeout: 180_000, interval: 100 }
let pm2: Pm2
let load: Load | undefined

beforeAll(async () => {
  pm2 = await startPm2()
}, 600_000)
afterEach(async () => {
  await load?.stop()
  await pm2.run('delete', 'shop')
})
afterAll(() => pm2?.dispose())

async function counted(port: number): Promise<number> {
  const { body } = await createRawClient(port)({ target: '/management/prometheus' }).catch(() => ({ body: '' }))
  return Number(/^answered_total (\d+)/m.exec(body)?.[1])
}

/** Returns the sums that several scrapes show, which reach different instances. */
async function sums(ports: readonly number[]): Promise<ReadonlySet<number>> {
  const found: number[] = []
  for (const port of ports) found.push(await counted(port))
  return new Set(found)
}

const listens = (port: number) => expect.poll(() => counted(port), patiently).toBe(0)

describe('an application under PM2', () => {
  it('in cluster mode loses no request and no count in a reload', { timeout: 600_000 }, async () => {
    const port = await freePort()
    await pm2.start('cluster', port)
    await listens(port)
    load = startLoad(port)
    const running = load
    await expect.poll(() => running.total, patiently).toBeGreaterThan(3_000)
    const before = [...running.answered.keys()]
    await pm2.run('reload', 'shop')
    const rest = running.total + 3_000
    await expect.poll(() => running.total, patiently).toBeGreaterThan(rest)
    await running.stop()
    expect(running.lost).toEqual([])
    expect(running.refused).toBe(0)
    expect(before).toHaveLength(2)
    expect([...running.answered.keys()]).toHaveLength(4)
    await expect.poll(() => sums(Array(6).fill(port)), patiently).toEqual(new Set([running.total]))
    console.info(`pm2 reload: ${running.total} requests, ${running.closedIdle} connections closed while idle`)
  })

  it('in fork mode shows the sum in each instance, and keeps it in a restart', { timeout: 600_000 }, async () => {
    const port = await freePortPair()
    const ports = [port, port + 1]
    await pm2.start('fork', port)
    for (const each of ports) await listens(each)
    const processes: readonly { readonly pm_id: number }[] = JSON.parse(await pm2.run('jlist'))
    const ids = processes.map(({ pm_id }) => String(pm_id))
    expect(ids).toHaveLength(2)
    const order = async (count: number) => {
      for (const each of ports) {
        for (let at = 0; at < count; at += 1) await createRawClient(each)({ target: '/' })
      }
    }
    await order(50)
    await expect.poll(() => sums(ports), patiently).toEqual(new Set([100]))
    // One after another: PM2 restarts two at a time, and a group without members begins anew.
    for (const id of ids) {
      await pm2.run('restart', id)
      await expect.poll(() => sums(ports), patiently).toEqual(new Set([100]))
    }
    await order(25)
    await expect.poll(() => sums(ports), patiently).toEqual(new Set([150]))
  })
})
