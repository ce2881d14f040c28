import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { startChild } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'

describe('the example of a cluster', () => {
  it('shows all workers as one, and goes on when one is killed or all are replaced', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'upkeep-example-'))
    const port = await freePort()
    const env = { ...process.env, PORT: `${port}`, WORKERS: '2', TMPDIR: directory, XDG_RUNTIME_DIR: '' }
    const primary = startChild(process.execPath, [built('build/examples/cluster.js')], { env })
    onTestFinished(async () => {
      await primary.kill()
      await rm(directory, { recursive: true, force: true })
    })
    await primary.out.line(/port: /, 2)

    const at = (path: string) => `http://127.0.0.1:${port}${path}`
    const order = async (): Promise<number> => {
      const response = await fetch(at('/orders'), { method: 'POST', headers: { connection: 'close' } })
      return ((await response.json()) as { worker: number }).worker
    }
    const value = async (name: string): Promise<number | undefined> => {
      const text = await (await fetch(at('/management/prometheus'), { headers: { connection: 'close' } })).text()
      const line = text.split('\n').find((each) => each.startsWith(`${name} `))
      return line === undefined ? undefined : Number(line.split(' ')[1])
    }

    const workers = new Set<number>()
    let placed = 0
    for (; placed < 20 || workers.size < 2; placed++) workers.add(await order())
    await expect.poll(() => value('orders_placed_total')).toBe(placed)
    await expect.poll(() => value('orders_open')).toBe(placed)

    process.kill([...workers][0] as number, 'SIGKILL')
    await primary.out.line(/port: /, 3)
    await expect.poll(() => value('upkeep_cluster_members')).toBe(3)
    expect(await value('orders_placed_total')).toBe(placed)

    primary.process.kill('SIGHUP')
    await primary.out.line(/port: /, 5)
    await primary.err.line(/reload: worker \d+ exited, replaced by/, 2)
    expect(await value('orders_placed_total')).toBe(placed)
    await order()
    await expect.poll(() => value('orders_placed_total')).toBe(placed + 1)

    primary.process.kill('SIGTERM')
    expect(await primary.ended).toBe(0)
  })
})
