import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../examples/webhook-receiver/database/database.ts'
import { migrate } from '../../../examples/webhook-receiver/database/migrate.ts'
import { openDatabase } from '../../../examples/webhook-receiver/database/open.ts'
import { openPostgres } from '../../../examples/webhook-receiver/database/postgres.ts'
import { ask, post, type Reply } from './support/ask.ts'
import { type BreakableWay, openBreakableWay } from './support/breakable-way.ts'
import { createTestDatabase, isPostgresThere, type TestDatabase } from './support/postgres-server.ts'
import { expectErrorDocument } from './support/receiver-over.ts'
import { type ServedApp, serveApp } from './support/serve-app.ts'

const health = (app: ServedApp, path: string) => ask(app.origin, { method: 'GET', path: `/management/health${path}` })

function expectRefusal(reply: Reply): void {
  expectErrorDocument(reply, 503)
  expect(reply.headers['retry-after']).toBe('5')
}

describe('a receiver whose PGlite is gone', () => {
  it('refuses messages with a 503, is alive but not ready, and goes on serving', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'receiver-'))
    const database = await openDatabase({ dataDir, databaseUrl: undefined }, () => {})
    const app = await serveApp(database)
    await database.close()

    expectRefusal(await post(app.origin, app.key, 'a'))
    expectRefusal(await post(app.origin, app.key, 'a'))
    expect((await health(app, '')).status).toBe(503)
    expect((await health(app, '/readiness')).status).toBe(503)
    expect((await health(app, '/liveness')).status).toBe(200)
    expect(app.reports).toHaveLength(2)

    await app.stop()
    await rm(dataDir, { recursive: true })
  })
})

describe.skipIf(!(await isPostgresThere()))('a receiver on the way to whose PostgreSQL something breaks', () => {
  let own: TestDatabase
  let way: BreakableWay
  let database: Database
  let app: ServedApp
  let connectionReports: string[]

  beforeAll(async () => {
    own = await createTestDatabase()
    const { hostname, port } = new URL(own.url)
    way = await openBreakableWay(hostname, Number(port))
    connectionReports = []
    database = openPostgres(
      own.url.replace(`:${port}/`, `:${way.port}/`),
      (message) => void connectionReports.push(message),
      { timeoutMilliseconds: 400 },
    )
    await migrate(database)
    app = await serveApp(database)
  })
  afterEach(async () => {
    await database.query('delete from messages')
  })
  afterAll(async () => {
    await app.stop()
    await database.close()
    await way.close()
    await own.drop()
  })

  it('refuses messages while it is cut, and takes them again when it is mended', async () => {
    expect((await post(app.origin, app.key, 'before')).body).toBe('ok')
    await way.cut()
    for (let at = 0; at < 15; at++) expectRefusal(await post(app.origin, app.key, 'meanwhile'))
    await way.mend()
    expect((await post(app.origin, app.key, 'after')).body).toBe('ok')
    expect(await app.texts()).toEqual(['before', 'after'])
  })

  it('refuses messages while it hangs, and takes them again when it is free', async () => {
    expect((await post(app.origin, app.key, 'before')).body).toBe('ok')
    way.block()
    const replies = await Promise.all(Array.from({ length: 15 }, () => post(app.origin, app.key, 'meanwhile')))
    for (const reply of replies) expectRefusal(reply)
    way.free()
    expect((await post(app.origin, app.key, 'after')).body).toBe('ok')
    const texts = await app.texts()
    expect(texts.filter((text) => text !== 'meanwhile')).toEqual(['before', 'after'])
  })

  it('survives that the server ends its idle connections', async () => {
    expect((await post(app.origin, app.key, 'before')).body).toBe('ok')
    const reported = connectionReports.length
    const direct = openPostgres(own.url, () => {})
    await direct.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await direct.close()
    await expect.poll(() => connectionReports.length).toBeGreaterThan(reported)
    expect((await post(app.origin, app.key, 'after')).body).toBe('ok')
    expect(await app.texts()).toEqual(['before', 'after'])
  })
})
