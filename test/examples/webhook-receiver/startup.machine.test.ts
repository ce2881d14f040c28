import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { post, sendRequest } from './support/http-client.ts'
import { operate } from './support/operator-client.ts'
import { keepReceivers, keyOf, type ReceiverProcess } from './support/receiver-process.ts'

const unknownKey = 'abcdefghijkmnopqrstuvwxyz2'

async function listening(receiver: ReceiverProcess): Promise<string> {
  const [, origin = ''] = await receiver.printed(/ listens on (\S+)\n/)
  return origin
}

const probe = async (origin: string, name: 'liveness' | 'readiness') =>
  (await sendRequest(origin, { method: 'GET', path: `/management/health/${name}` })).status

const becomes = (origin: string, readiness: number) => expect.poll(() => probe(origin, 'readiness')).toBe(readiness)

describePostgres((server) => {
  const receivers = keepReceivers()
  let databaseUrl: string
  beforeEach(async () => {
    databaseUrl = (await createTestDatabase(server())).replace('postgres@', 'postgres:s3cret@')
  })
  afterEach(() => receivers.endAll())

  const expectRefusal = async (origin: string) => {
    const reply = await post(origin, unknownKey, 'too early')
    expect(reply.status).toBe(503)
    expect(reply.headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '5' })
    expect((await operate(origin, 'GET', '/hooks')).status).toBe(503)
  }

  describe('a receiver whose PostgreSQL is absent when it starts', { timeout: 600_000 }, () => {
    it('is alive and not ready, becomes ready when PostgreSQL starts, and depends on it afterwards', async () => {
      await server().stop()
      const receiver = receivers.start({ DATABASE_URL: databaseUrl, MANAGEMENT_TOKEN: 'a-token' })
      const origin = await listening(receiver)
      expect(await probe(origin, 'liveness')).toBe(200)
      expect(await probe(origin, 'readiness')).toBe(503)
      await expectRefusal(origin)
      const [line] = await receiver.printed(/^.*cannot use.*retrying.*$/m)
      const { host, pathname } = new URL(databaseUrl)
      expect(line).toContain(`PostgreSQL at ${host}${pathname} (DATABASE_URL)`)
      expect(line).toContain(`connect ECONNREFUSED ${host}`)

      await server().start()
      await becomes(origin, 200)
      const key = await keyOf(receiver)
      expect((await post(origin, key, 'first')).body).toBe('ok')

      await server().stop()
      await becomes(origin, 503)
      expect(await probe(origin, 'liveness')).toBe(200)
      expect((await post(origin, key, 'meanwhile')).status).toBe(503)
      await server().start()
      await becomes(origin, 200)
      expect((await post(origin, key, 'second')).body).toBe('ok')

      receiver.process.kill('SIGTERM')
      expect(await receiver.ended).toBe(0)
      expect(receiver.output()).not.toContain('s3cret')
      expect(receiver.output()).toContain('listens on')
    })

    it('exits with 0 on SIGTERM while it waits', async () => {
      await server().stop()
      const receiver = receivers.start({ DATABASE_URL: databaseUrl })
      await listening(receiver)
      await receiver.printed(/retrying/)
      receiver.process.kill('SIGTERM')
      expect(await receiver.ended).toBe(0)
      await server().start()
    })

    it('waits for the database inside a PostgreSQL as well', async () => {
      const name = `late_${process.pid}`
      const receiver = receivers.start({ DATABASE_URL: databaseUrl.replace(/\w+$/, name) })
      const origin = await listening(receiver)
      await receiver.printed(new RegExp(`database "${name}" does not exist`))
      expect(await probe(origin, 'readiness')).toBe(503)
      await createTestDatabase(server(), name)
      await becomes(origin, 200)
      expect((await post(origin, await keyOf(receiver), 'first')).body).toBe('ok')
    })
  })

  describe('a receiver whose PostgreSQL accepts connections and does not respond', { timeout: 600_000 }, () => {
    it('is alive and not ready, and becomes ready when PostgreSQL responds', async () => {
      server().freeze()
      const receiver = receivers.start({ DATABASE_URL: databaseUrl, MANAGEMENT_TOKEN: 'a-token' })
      const origin = await listening(receiver)
      await receiver.printed(/connecting to PostgreSQL at \S+ \(DATABASE_URL\)/)
      expect(await probe(origin, 'liveness')).toBe(200)
      await expectRefusal(origin)
      expect(await probe(origin, 'readiness')).toBe(503)

      server().thaw()
      await becomes(origin, 200)
      expect((await post(origin, await keyOf(receiver), 'first')).body).toBe('ok')
    })
  })

  describe('a receiver that cannot respond at all', { timeout: 600_000 }, () => {
    it('fails its liveness probe, and passes it when it can respond again', async () => {
      const receiver = receivers.start({ DATABASE_URL: databaseUrl })
      const origin = await listening(receiver)
      const liveness = `${origin}/management/health/liveness`
      receiver.process.kill('SIGSTOP')
      await expect(fetch(liveness, { signal: AbortSignal.timeout(1_000) })).rejects.toThrow('timeout')
      receiver.process.kill('SIGCONT')
      expect(await probe(origin, 'liveness')).toBe(200)
    })
  })
})
