import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../../examples/webhook-receiver/database/migrate.ts'
import { openPostgres } from '../../../examples/webhook-receiver/database/postgres.ts'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { expectErrorDocument } from './support/expect-error-document.ts'
import { type HttpResponse, post, sendRequest } from './support/http-client.ts'
import { type ServedApp, serveApp } from './support/serve-app.ts'

const statusOf = async ({ origin }: ServedApp, path: string) =>
  (await sendRequest(origin, { method: 'GET', path: `/management/health${path}` })).status

function expectRefusal(reply: HttpResponse): void {
  expectErrorDocument(reply, 503)
  expect(reply.headers['retry-after']).toBe('5')
}

describePostgres((server) => {
  describe('a receiver whose PostgreSQL fails', () => {
    const brokenConnections: string[] = []
    const report = (message: string) => void brokenConnections.push(message)
    let databaseUrl: string
    let app: ServedApp

    /** Serves a receiver that waits so long for the database. */
    async function serve(timeoutMilliseconds: number): Promise<ServedApp> {
      const database = openPostgres(databaseUrl, report, { timeoutMilliseconds })
      await migrate(database)
      return serveApp(database)
    }
    async function end({ stop, database }: ServedApp): Promise<void> {
      await stop()
      await database.close()
    }

    beforeAll(async () => {
      databaseUrl = await createTestDatabase(server())
      app = await serve(60_000)
    })
    afterEach(() => app.forget())
    afterAll(() => end(app))

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
      const impatient = await serve(1_000)
      server().freeze()
      const meanwhile = Array.from({ length: 15 }, () => post(impatient.origin, impatient.key, 'meanwhile'))
      for (const reply of await Promise.all(meanwhile)) expectRefusal(reply)

      server().thaw()
      await expect.poll(async () => (await post(impatient.origin, impatient.key, 'after')).body).toBe('ok')
      // What was refused because no answer came in time may have been stored all the same.
      expect([...new Set((await app.texts()).filter((text) => text !== 'meanwhile'))]).toEqual(['before', 'after'])
      await end(impatient)
    })

    it('refuses messages to a locked table when two statements have failed, and stores none of them', async () => {
      const holder = new pg.Client({ connectionString: databaseUrl })
      await holder.connect()
      await holder.query('begin')
      await holder.query('lock table messages in access exclusive mode')
      const first = post(app.origin, app.key, 'waits for the lock')
      await waits(holder)
      const abandoned = Array.from({ length: 150 }, () => abandon(app, 'abandoned'))
      const patient = Array.from({ length: 150 }, (_, at) => post(app.origin, app.key, `patient ${at}`))
      await Promise.all(abandoned)
      await expect.poll(app.connections).toBe(1 + patient.length)

      await cancelWaiting(holder)
      expectRefusal(await first)
      await waits(holder)
      await cancelWaiting(holder)
      for (const reply of await Promise.all(patient)) expectRefusal(reply)
      await holder.query('rollback')
      await holder.end()
      expect((await post(app.origin, app.key, 'after')).body).toBe('ok')
      expect(await app.texts()).toEqual(['after'])
    })
  })
})

const waiting = 'select pid from pg_locks where not granted'

/** Resolves when a statement waits for a lock. */
async function waits(client: pg.Client): Promise<void> {
  while ((await client.query(waiting)).rows.length === 0);
}

/** Has the statements fail that wait for a lock, as those do that take too long. */
async function cancelWaiting(client: pg.Client): Promise<void> {
  await client.query(`select pg_cancel_backend(pid) from (${waiting}) as waiting`)
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
