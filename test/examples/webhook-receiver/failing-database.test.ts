import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../examples/webhook-receiver/database/database.ts'
import { migrate } from '../../../examples/webhook-receiver/database/migrate.ts'
import { openPostgres } from '../../../examples/webhook-receiver/database/postgres.ts'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { expectErrorDocument } from './support/expect-error-document.ts'
import { type HttpResponse, post, sendRequest } from './support/http-client.ts'
import { openPrepared } from './support/open-prepared.ts'
import { type ServedApp, serveApp } from './support/serve-app.ts'

const statusOf = async ({ origin }: ServedApp, path: string) =>
  (await sendRequest(origin, { method: 'GET', path: `/management/health${path}` })).status

function expectRefusal(reply: HttpResponse): void {
  expectErrorDocument(reply, 503)
  expect(reply.headers['retry-after']).toBe('5')
}

describe('a receiver whose PGlite is closed', { timeout: 60_000 }, () => {
  it('refuses messages with 503, is alive but not ready, and continues to respond', async () => {
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
    let databaseUrl: string

    beforeAll(async () => {
      databaseUrl = await createTestDatabase(server())
      const report = (message: string) => void brokenConnections.push(message)
      database = openPostgres(databaseUrl, report, { timeoutMilliseconds: 1_000 })
      await migrate(database)
      app = await serveApp(database)
    })
    afterEach(() => app.forget())
    afterAll(async () => {
      await app.stop()
      await database.close()
    })

    it('refuses messages while it is down, and accepts them when it is up', async () => {
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

    it('refuses messages while it hangs, and accepts them when it responds', async () => {
      expect((await post(app.origin, app.key, 'before')).body).toBe('ok')
      server().freeze()
      const replies = await Promise.all(Array.from({ length: 15 }, () => post(app.origin, app.key, 'meanwhile')))
      for (const reply of replies) expectRefusal(reply)

      server().thaw()
      expect((await post(app.origin, app.key, 'after')).body).toBe('ok')
      // What was refused because no answer came in time may have been stored all the same.
      expect((await app.texts()).filter((text) => text !== 'meanwhile')).toEqual(['before', 'after'])
    })

    it('refuses messages to a locked table within two timeouts, and stores no abandoned message', async () => {
      const holder = new pg.Client({ connectionString: databaseUrl })
      await holder.connect()
      await holder.query('begin')
      await holder.query('lock table messages in access exclusive mode')
      const first = post(app.origin, app.key, 'waits for the lock')
      await waits(holder, 1)
      const abandoned = Array.from({ length: 150 }, () => abandon(app, 'abandoned'))
      const patient = Array.from({ length: 150 }, (_, at) => post(app.origin, app.key, `patient ${at}`))
      await Promise.all(abandoned)
      for (const reply of await Promise.all([first, ...patient])) expectRefusal(reply)

      await holder.query('rollback')
      await holder.end()
      await expect.poll(async () => (await post(app.origin, app.key, 'after')).body).toBe('ok')
      const texts = await app.texts()
      expect(texts.filter((text) => text === 'abandoned')).toEqual([])
      expect(texts.at(-1)).toBe('after')
    })
  })
})

/** Resolves when so many statements wait for a lock. */
async function waits(client: pg.Client, count: number): Promise<void> {
  const sql = `select count(*)::integer as count from pg_locks where not granted`
  while ((await client.query(sql)).rows[0].count < count);
}

/** Posts a message, and leaves without waiting for the response. */
async function abandon({ origin, key }: ServedApp, text: string): Promise<void> {
  const { hostname, port } = new URL(origin)
  const body = JSON.stringify({ text })
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const header = `POST /hooks/${key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`
  await new Promise<void>((sent) => socket.write(header + body, () => sent()))
  socket.resetAndDestroy()
}
