import { expect, it } from 'vitest'
import { startDocumented } from '../../migrate/documented-program.ts'
import { built } from '../../support/built.ts'

const project = built('build/with/incumbents')

const commit = '50c550c2fd1b0c9a4e7f8d6b3a5c1e2f4d6b8a90'
const files = {
  'package.json': JSON.stringify({ name: 'orders', version: '1.4.2', type: 'module' }),
  'git.properties': `git.branch=main\ngit.commit.id=${commit}\ngit.commit.id.abbrev=${commit.slice(0, 7)}\n`,
}
const env = { GIT_COMMIT: commit, GIT_BRANCH: 'main' }
const start = (name: string) => startDocumented('express-actuator.md', name, { env, files, project })

interface Info {
  readonly build: { readonly name: string; readonly version: string }
  readonly git: { readonly branch: string; readonly commit: { readonly id: string } }
}

it('a client of express-actuator reads the same health and facts at the same paths', async () => {
  const [old, current] = await Promise.all([start('before.mjs'), start('after.mjs')])
  for (const { get } of [old, current]) {
    const { status, json } = await get('/management/health')
    expect({ status, json }).toMatchObject({ status: 200, json: { status: 'UP' } })
    const { build, git } = (await get('/management/info')).json as Info
    expect([build.name, build.version, git.branch, git.commit.id.slice(0, 7)]).toEqual([
      'orders',
      '1.4.2',
      'main',
      '50c550c',
    ])
  }
})

it('a client reads the same figures of the process from upkeep as from express-actuator beside it', async () => {
  const { get } = await start('both.mjs')
  const read = async (meter: string) => {
    const { json } = await get(`/management/metrics/${meter}`)
    return (json as { measurements: readonly { value: number }[] }).measurements[0]?.value
  }
  const { json } = await get('/actuator/metrics')
  const { mem, uptime } = json as { readonly mem: NodeJS.MemoryUsage; readonly uptime: number }
  const pairs = [
    [await read('process.uptime'), uptime],
    [await read('process.memory.rss'), mem.rss],
    [await read('jvm.memory.used?tag=area:heap'), mem.heapUsed],
    [await read('jvm.memory.committed?tag=area:heap'), mem.heapTotal],
    [await read('jvm.memory.used?tag=id:external'), mem.external],
  ] as const
  // The requests are some milliseconds apart, in which the process allocates.
  for (const [current, old] of pairs) {
    expect(current).toBeGreaterThan(old * 0.5)
    expect(current).toBeLessThan(old * 2)
  }
})
