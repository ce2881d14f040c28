import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../examples/webhook-receiver/database/database.ts'
import { migrate } from '../../../examples/webhook-receiver/database/migrate.ts'
import { openPostgres } from '../../../examples/webhook-receiver/database/postgres.ts'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { expectErrorDocument } from './support/expect-error-document.ts'
import { type HttpResponse, post, sendRequest } from './support/http-client.ts'
import { type ServedApp, serveApp } from './support/serve-app.ts'

const posters = 8
/** How many messages are refused before the database is available again. */
const refusals = 2_000

interface Load {
  readonly acknowledged: readonly string[]
  readonly refused: readonly HttpResponse[]
  readonly sent: ReadonlySet<string>
  /** Resolves when it holds, which is looked at after each reply. */
  until(holds: () => boolean): Promise<void>
  stop(): Promise<void>
}

/** Posts messages from several sides, each after the answer to the one before. */
function startLoad({ origin, key }: ServedApp): Load {
  const acknowledged: string[] = []
  const refused: HttpResponse[] = []
  const sent = new Set<string>()
  const waiting = new Map<() => boolean, () => void>()
  let isStopped = false
  const keepPosting = async () => {
    while (!isStopped) {
      const text = `message ${sent.size}`
      sent.add(text)
      const reply = await post(origin, key, text)
      if (reply.status === 200) acknowledged.push(text)
      else refused.push(reply)
      for (const [holds, resolve] of waiting) {
        if (!holds()) continue
        waiting.delete(holds)
        resolve()
      }
    }
  }
  const posting = Promise.all(Array.from({ length: posters }, keepPosting))
  return {
    acknowledged,
    refused,
    sent,
    until: (holds) => {
      const held = new Promise<void>((resolve) => void waiting.set(holds, resolve))
      return Promise.race([held, posting.then(() => {})])
    },
    stop: async () => {
      isStopped = true
      await posting
    },
  }
}

describePostgres((server) => {
  describe('a receiver whose PostgreSQL is unavailable under load', { timeout: 600_000 }, () => {
    let database: Database
    let app: ServedApp
    const readiness = async () =>
      (await sendRequest(app.origin, { method: 'GET', path: '/management/health/readiness' })).status

    beforeAll(async () => {
      database = openPostgres(await createTestDatabase(server()), () => {})
      await migrate(database)
      app = await serveApp(database)
    })
    afterAll(async () => {
      await app.stop()
      await database.close()
    })

    it('refuses messages, is not ready, recovers, and loses no acknowledged message', async () => {
      const load = startLoad(app)
      await load.until(() => load.acknowledged.length >= 100)
      await server().stop()
      await load.until(() => load.refused.length >= 100)
      expect(await readiness()).toBe(503)
      const before = load.acknowledged.length
      await load.until(() => load.refused.length >= refusals)
      expect(load.acknowledged).toHaveLength(before)

      await server().start()
      await load.until(() => load.acknowledged.length >= before + 100)
      while ((await readiness()) !== 200);
      await load.stop()

      for (const reply of load.refused) {
        expectErrorDocument(reply, 503)
        expect(reply.headers['retry-after']).toBe('5')
      }
      const stored = await app.texts()
      const once = new Set(stored)
      expect(stored).toHaveLength(once.size)
      expect(load.acknowledged.filter((text) => !once.has(text))).toEqual([])
      expect(stored.filter((text) => !load.sent.has(text))).toEqual([])
    })
  })
})
