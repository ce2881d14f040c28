import { describe, expect, it } from 'vitest'
import { type AutoApplication, upkeepLines, writeApplication } from '../support/auto-application.ts'
import type { Child } from '../support/child.ts'

/** A primary that forks two workers, and another one, kills one or disconnects all by commands on its input. */
const clusterProgram = `
import cluster from 'node:cluster'
import { createServer } from 'node:http'
if (cluster.isPrimary) {
  cluster.on('listening', ({ id }, { port }) => console.log('worker', id, 'listens', port === appPort))
  cluster.on('exit', ({ id, exitedAfterDisconnect }, code, signal) =>
    console.log('worker', id, 'exits', code ?? signal, exitedAfterDisconnect))
  const appPort = Number(process.argv[2])
  for (const id of [1, 2]) cluster.fork()
  const commands = {
    fork: () => cluster.fork(),
    kill: (id) => cluster.workers[id].process.kill('SIGKILL'),
    end: () => cluster.disconnect(() => process.stdin.destroy()),
  }
  process.stdin.on('data', (text) => {
    const [command, id] = String(text).trim().split(' ')
    commands[command](id)
  })
} else createServer((req, res) => {
  console.log('requested')
  setTimeout(() => res.end('hello'), 300)
}).listen(Number(process.argv[2]), '127.0.0.1')
`

/** Resolves when the management responds. */
async function responding({ get }: AutoApplication): Promise<void> {
  const status = () =>
    get('/readyz').then(
      (response) => response.status,
      () => undefined,
    )
  await expect.poll(status).toBe(200)
}

/** Starts the cluster on a free port of its own, and waits for both workers. */
async function startCluster(env: Readonly<Record<string, string>> = {}) {
  const application = await writeApplication({ 'app.mjs': clusterProgram })
  const { port: appPort } = await writeApplication({})
  const child = application.start({ env: { UPKEEP_TOKEN: 's3cret', ...env }, args: [String(appPort)] })
  await child.out.line(/worker 1 listens/)
  await child.out.line(/worker 2 listens/)
  await responding(application)
  return { application, child, appPort }
}

/** Resolves with the page when it has this number of members. */
async function pageOf({ get }: AutoApplication, members: number): Promise<string> {
  let page = ''
  const read = async () => {
    page = await get('/management/prometheus', 's3cret').then(
      ({ text }) => text,
      () => '',
    )
    return page
  }
  await expect.poll(read).toContain(`\nupkeep_cluster_members ${members}\n`)
  return page
}

const served = (child: Child) => upkeepLines(child).filter((line) => line.includes('health at'))

describe('under node:cluster', () => {
  it('one port serves the values of the primary and all workers, and another worker takes it over', async () => {
    const { application, child } = await startCluster()
    const upTimes = async () => (await pageOf(application, 3)).match(/^process_uptime_seconds\{member="\d"\}/gm)
    await expect.poll(upTimes).toHaveLength(3)
    await child.err.line(/is served by another process of shop/)
    expect(served(child)).toHaveLength(1)

    child.writeInput('kill 1\n')
    await child.out.line(/worker 1 exits/)
    await responding(application)
    child.writeInput('fork\n')
    await child.out.line(/worker 3 listens/)
    child.writeInput('kill 2\n')
    await child.out.line(/worker 2 exits/)
    await responding(application)
    await pageOf(application, 2)
    expect(served(child).length).toBeGreaterThan(1)

    child.writeInput('end\n')
    expect(await child.ended).toBe(0)
    // The primary knows of no server but that of the application, and its last worker has ended by itself.
    expect(child.out.lines.filter((line) => line.includes('listens')).sort()).toEqual(
      [1, 2, 3].map((id) => `worker ${id} listens true`),
    )
    expect(child.out.lines.at(-1)).toBe('worker 3 exits 0 true')
  })

  it('a graceful shutdown of the primary finishes the requests of the workers', async () => {
    const { application, child, appPort } = await startCluster({
      UPKEEP_SHUTDOWN: 'graceful',
      UPKEEP_SHUTDOWN_DELAY: '100ms',
    })
    await pageOf(application, 3)
    const response = fetch(`http://127.0.0.1:${appPort}/`).then((received) => received.text())
    await child.out.line(/^requested$/)
    child.process.kill('SIGTERM')
    expect(await response).toBe('hello')
    expect(await child.ended).toBe('SIGTERM')
    expect(child.out.lines.filter((line) => line.includes('exits')).sort()).toEqual([
      'worker 1 exits SIGTERM true',
      'worker 2 exits SIGTERM true',
    ])
    expect(upkeepLines(child).at(-1)).toContain('shutdown: cluster done')
  })
})

describe('processes beside each other', () => {
  it('are one application with UPKEEP_GROUP, and share the management port', async () => {
    const application = await writeApplication({
      'app.mjs': `import { createServer } from 'node:http'
        createServer(() => {}).listen(0, '127.0.0.1')`,
    })
    const env = { UPKEEP_GROUP: 'shop', UPKEEP_TOKEN: 's3cret' }
    const first = application.start({ env })
    await first.err.line(/health at/)
    const second = application.start({ env })
    await second.err.line(/health is served by another process of shop at port \d+/)
    await pageOf(application, 2)
    await first.kill()
    await second.err.line(/health at/)
    await pageOf(application, 1)
  })
})

describe("in PM2's cluster mode", () => {
  /** As the container of PM2, which sets the variables of the application before it loads that. */
  const container = `const variables = JSON.parse(process.env.pm2_env)
    for (const name in variables) process.env[name] = variables[name]
    delete process.env.pm2_env
    process.stdin.resume()`
  const variables = (port: number, start: string) => ({
    pm2_env: JSON.stringify({
      ...{ pm_id: 0, name: 'jobs', env: {}, args: [] },
      ...{ UPKEEP_START: start, UPKEEP_PORT: port, UPKEEP_TOKEN: 's3cret' },
    }),
  })

  it('UPKEEP_START and other variables of the application have their effect', async () => {
    const application = await writeApplication({ 'app.cjs': container })
    const { port } = await writeApplication({})
    const child = application.start({ program: 'app.cjs', env: variables(port, 'always') })
    expect(await child.err.line(/health at/)).toMatch(`:${port}/management/health; `)
    expect(upkeepLines(child)).toEqual([expect.stringContaining('with the token info, metrics, prometheus')])
  })

  it('variables that are not JSON do not affect the application', async () => {
    const application = await writeApplication({ 'app.mjs': "console.log('started')" })
    const child = application.start({ env: { pm2_env: '{', UPKEEP_START: 'always' } })
    expect(await child.ended).toBe(0)
    expect([child.out.lines, child.err.lines]).toEqual([['started'], []])
  })
})
