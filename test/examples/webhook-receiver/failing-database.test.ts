import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../examples/webhook-receiver/database/database.ts'
import { migrate } from '../../../examples/webhook-receiver/database/migrate.ts'
import { openPostgres } from '../../../examples/webhook-receiver/database/postgres.ts'
import { ask, post, type Reply } from './support/ask.ts'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { expectErrorDocument } from './support/expect-error-document.ts'
import { openPrepared } from './support/open-prepared.ts'
import { type ServedApp, serveApp } from './support/serve-app.ts'

const statusOf = async ({ origin }: ServedApp, path: string) =>
  (await ask(origin, { method: 'GET', path: `/management/health${path}` })).status

function expectRefusal(reply: Reply): void {
  expectErrorDocument(reply, 503)
  expect(reply.headers['retry-after']).toBe('5')
}

describe('a receiver whose PGlite is gone', { timeout: 60_000 }, () => {
  it('refuses messages with a 503, is alive but not ready, and goes on serving', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'receiver-'))
    const database = await openPrepared({ dataDir, databaseUrl: undefined }, () => {})
    const app = await serveApp(database)
    await database.close()

    expectRefusal(await post(app.origin, app.key, 'a'))
    expectRefusal(await post(app.origin, app.key, 'a'))
    expect(await statusOf(app, '')).toBe(503)
    expect(await statusOf(app, '/readiness')).toBe(503)
    expect(await statusOf(app, '/liveness')).toBe(200)
    expect(app.reports.filter((report) => report.startsWith('POST /hooks/'))).toHaveLength(2)

    await app.stop()
    await rm(dataDir, { recursive: true })
  })
})

describePostgres((server) => {
  describe('a receiver whose PostgreSQL fails', { timeout: 60_000 }, () => {
    const brokenConnections: string[] = []
    let database: Database
    let app: ServedApp

    beforeAll(async () => {
      const report = (message: string) => void brokenConnections.push(message)
      database = openPostgres(await createTestDatabase(server()), report, { timeoutMilliseconds: 1_000 })
      await migrate(database)
      app = await serveApp(database)
    })
    afterEach(() => app.forget())
    afterAll(async () => {
      await app.stop()
      await database.close()
    })

    it('refuses messages while it is down, and takes them again when it is up', async () => {
      expect((await post(app.origin, app.key, 'before')).body).toBe('ok')
      await server().stop()
      for (let at = 0; at < 15; at++) expectRefusal(await post(app.origin, app.key, 'meanwhile'))
      expect(await statusOf(app, '/readiness')).toBe(503)
      expect(await statusOf(app, '/liveness')).toBe(200)
      expect(brokenConnections).toContain('A connection to the database broke')

      await server().start()
      expect((await post(app.origin, app.key, 'after')).body).toBe('ok')
      expect(await app.texts()).toEqual(['before', 'after'])
    })

    it('refuses messages while it hangs, and takes them again when it is free', async () => {
      expect((await post(app.origin, app.key, 'before')).body).toBe('ok')
      server().freeze()
      const replies = await Promise.all(Array.from({ length: 15 }, () => post(app.origin, app.key, 'meanwhile')))
      for (const reply of replies) expectRefusal(reply)

      server().thaw()
      expect((await post(app.origin, app.key, 'after')).body).toBe('ok')
      // What was refused because no answer came in time may have been stored all the same.
      expect((await app.texts()).filter((text) => text !== 'meanwhile')).toEqual(['before', 'after'])
    })
  })
})
