import { afterAll, beforeAll, expect, it } from 'vitest'
import { built } from '../../support/built.ts'
import type { Child } from '../../support/child.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { freePort } from '../../support/free-port.ts'
import { startInstance } from '../../support/instance.ts'
import { startLoad } from '../../support/load.ts'
import type { RunningProxy } from '../../support/proxy.ts'
import { startHaproxy } from '../../support/start-haproxy.ts'

const restarts = 12

/** Longer than it takes HAProxy to ask twice, every 100 ms, and to be answered by a busy machine. */
const delay = '2s'

describeProgram({ program: 'haproxy', debian: 'haproxy' }, (haproxy) => {
  const instances = new Map<'a' | 'b', { readonly port: number; child: Child }>()
  let proxy: RunningProxy

  beforeAll(async () => {
    built('build/node_modules/upkeep/dist/node.js')
    for (const name of ['a', 'b'] as const) {
      const port = await freePort()
      instances.set(name, { port, child: await startInstance(port, delay) })
    }
    const [a = 0, b = 0] = [...instances.values()].map(({ port }) => port)
    proxy = await startHaproxy(haproxy, [a, b])
  })
  afterAll(async () => {
    await proxy?.dispose()
    for (const { child } of instances.values()) await child.kill()
  })

  it(`loses no request of a load over ${restarts} rolling restarts`, { timeout: 600_000 }, async () => {
    const load = startLoad(`http://127.0.0.1:${proxy.port}/orders`)
    for (let restart = 0; restart < restarts; restart += 1) {
      const name = restart % 2 === 0 ? 'a' : 'b'
      const nth = Math.floor(restart / 2) + 1
      const instance = instances.get(name)
      if (instance === undefined) throw new Error(`no instance ${name}`)

      instance.child.process.kill('SIGTERM')
      // Asked, it said 503: it left the pool while it still listened, and not because nobody was there.
      const down = await proxy.child.err.line(new RegExp(`Server orders/${name} is DOWN`), nth)
      expect(down).toContain('reason: Layer7 wrong status, code: 503')
      expect(await instance.child.ended).toBe(0)
      expect(instance.child.err.lines.join('\n')).toMatch(
        /shutting down \(SIGTERM\).*delay done.*requests done.*consumer done/s,
      )

      instance.child = await startInstance(instance.port, delay)
      const up = await proxy.child.err.line(new RegExp(`Server orders/${name} is UP`), nth)
      expect(up).toContain('reason: Layer7 check passed, code: 200')
    }
    const { succeeded, failed } = await load.stop()
    expect(failed).toEqual({ errors: 0, timeouts: 0, resets: 0, others: 0 })
    expect(succeeded).toBeGreaterThan(restarts * 20)
  })
})
