import { afterEach, beforeAll, expect, it } from 'vitest'
import { built } from '../../support/built.ts'
import type { Child } from '../../support/child.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { adapt, readDocumented } from '../../support/documented.ts'
import { freePort } from '../../support/free-port.ts'
import { startInstance } from '../../support/instance.ts'
import { startLoad } from '../../support/load.ts'
import type { RunningProxy } from '../../support/proxy.ts'
import { startNginx } from '../../support/start-nginx.ts'

describeProgram({ program: 'nginx', debian: 'nginx-light' }, (nginx) => {
  let proxy: RunningProxy | undefined
  const instances: { readonly port: number; child: Child }[] = []

  beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))
  afterEach(async () => {
    await proxy?.dispose()
    for (const { child } of instances.splice(0)) await child.kill()
  })

  async function start(): Promise<string> {
    for (const port of [await freePort(), await freePort()]) {
      instances.push({ port, child: await startInstance(port, '0ms') })
    }
    const [a = 0, b = 0] = instances.map(({ port }) => port)
    proxy = await startNginx(nginx, (port) =>
      adapt(readDocumented('guides/probes.md', 'orders.conf'), {
        'listen 80;': `listen 127.0.0.1:${port};`,
        '10.0.0.1:3000': `127.0.0.1:${a}`,
        '10.0.0.2:3000': `127.0.0.1:${b}`,
      }),
    )
    return `http://127.0.0.1:${proxy.port}`
  }

  it('denies outside clients the management endpoints', async () => {
    const origin = await start()
    expect((await fetch(`${origin}/management/health`)).status).toBe(403)
    expect((await fetch(`${origin}/orders`)).status).toBe(200)
  })

  async function restartUnderLoad(method: string) {
    const load = startLoad(`${await start()}/orders`, { method, rate: 1_000 })
    for (let restart = 0; restart < 6; restart += 1) {
      const instance = instances[restart % 2]
      if (instance === undefined) throw new Error('no instance')
      instance.child.process.kill('SIGTERM')
      expect(await instance.child.ended).toBe(0)
      instance.child = await startInstance(instance.port, '0ms')
    }
    const { succeeded, failed } = await load.stop()
    expect(succeeded).toBeGreaterThan(100)
    return failed
  }

  it('loses no GET while instances restart, without probing them', async () => {
    expect(await restartUnderLoad('GET')).toEqual({ errors: 0, timeouts: 0, resets: 0, others: 0 })
  })

  it('loses only POST requests that arrive at the moment when a listener closes', async () => {
    const { others, ...failed } = await restartUnderLoad('POST')
    expect(failed).toEqual({ errors: 0, timeouts: 0, resets: 0 })
    const resets = proxy?.child.err.lines.filter((line) => line.includes('recv() failed (104'))
    expect(resets).toHaveLength(others)
    // Each of the ten clients has one request at a time.
    expect(others).toBeLessThanOrEqual(10)
  })
})
