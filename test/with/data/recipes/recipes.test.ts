import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import type { Management } from 'upkeep'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeRunningServers, running } from '../../../support/describe-running-servers.ts'
import { databasePoolValues } from '../../../support/pool-meters.ts'
import { recordedSeries } from '../../../support/timed-operations.ts'
import { usePostgresDatabase } from '../../../support/use-database.ts'

interface Recipe {
  readonly management: Management
  /** Runs a query of the application. */
  readonly select: () => PromiseLike<unknown>
  readonly end: () => unknown
}

const recipes: Readonly<Record<string, () => Promise<Recipe>>> = {
  async 'drizzle.ts'() {
    const { management, db } = await import('./drizzle.ts')
    const { sql } = await import('drizzle-orm')
    return { management, select: () => db.execute(sql`SELECT 1 FROM pg_class LIMIT 1`), end: () => db.$client.end() }
  },
  async 'kysely.ts'() {
    const { management, db } = await import('./kysely.ts')
    const { sql } = await import('kysely')
    return { management, select: () => sql`SELECT 1 FROM pg_class LIMIT 1`.execute(db), end: () => db.destroy() }
  },
  async 'typeorm.ts'() {
    const { management, db } = await import('./typeorm.ts')
    return { management, select: () => db.query('SELECT 1 FROM pg_class LIMIT 1'), end: () => db.destroy() }
  },
  async 'knex.ts'() {
    const { management, db } = await import('./knex.ts')
    return { management, select: () => db.raw('SELECT 1 FROM pg_class LIMIT 1'), end: () => db.destroy() }
  },
  async 'postgres-js.ts'() {
    const { management, db } = await import('./postgres-js.ts')
    return { management, select: () => db`SELECT 1 FROM pg_class LIMIT 1`, end: () => db.end({ timeout: 0 }) }
  },
}

/** Forwards connections to PostgreSQL, until it is cut off. */
async function startGateway() {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy()
    const upstream = connect(running.postgres.port, '127.0.0.1')
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const mend = () => {
    isCut = false
  }
  return { port: (server.address() as AddressInfo).port, cut, mend }
}

const healthOf = async ({ health }: Management) => (await health.check()).components?.['db'] ?? { status: 'missing' }
const latency = expect.stringMatching(/ms$/)

/** Longer than a busy machine takes. */
const patiently = { timeout: 50_000 }

afterAll(() => vi.unstubAllEnvs())

await describeRunningServers([running.postgres], () => {
  const { user, database } = usePostgresDatabase()

  it.each(Object.entries(recipes))(
    '%s: UP while the database responds, DOWN while it is away; queries and pool are measured',
    async (name, load) => {
      const gateway = await startGateway()
      vi.stubEnv('DATABASE_URL', `postgres://${user}@127.0.0.1:${gateway.port}/${database}`)
      const { management, select, end } = await load()
      onTestFinished(async () => {
        management.close()
        await end()
      })
      expect(await healthOf(management)).toEqual({ status: 'UP', details: { database: 'PostgreSQL', latency } })

      await select()
      const timed = recordedSeries(management.meters, 'db.client.operation.duration')
      const ofApplication = timed.filter(([{ collection }]) => collection === 'pg_class').map(([, count]) => count)
      const { total } = databasePoolValues(management.meters, 'orders')
      // postgres.js has no hook for queries, and hides its pool.
      expect({ ofApplication, total }).toEqual(
        name === 'postgres-js.ts' ? { ofApplication: [] } : { ofApplication: [1], total: expect.any(Number) },
      )

      gateway.cut()
      await expect.poll(() => healthOf(management), patiently).toMatchObject({ status: 'DOWN' })
      gateway.mend()
      await expect.poll(() => healthOf(management), patiently).toMatchObject({ status: 'UP' })
    },
  )
})

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const hasSqlite = major > 22 || (major === 22 && minor >= 13)

describe.skipIf(!hasSqlite)(`node:sqlite${hasSqlite ? '' : ` (from Node 22.13, this is ${process.version})`}`, () => {
  it('node-sqlite.js: UP while the database is open, DOWN once it is closed', async () => {
    const { management, db } = await import('./node-sqlite.js')
    onTestFinished(() => management.close())
    expect(await healthOf(management)).toEqual({ status: 'UP', details: { database: 'SQLite', latency } })
    db.close()
    await expect
      .poll(() => healthOf(management), patiently)
      .toMatchObject({ status: 'DOWN', details: { error: expect.stringContaining('database is not open') } })
  })
})

it.each([...Object.keys(recipes), 'bullmq.ts', 'node-sqlite.js'])(
  'docs/guides/clients.md quotes %s without changes',
  (name) => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/guides/clients.md'), 'utf8')
    const language = name.split('.').at(-1)
    expect(page).toContain(`\`\`\`${language}\n${readFileSync(resolve(import.meta.dirname, name), 'utf8')}\`\`\`\n`)
  },
)
