import { describe, expect, it } from 'vitest'
import { uuidPattern } from './expect-error-document.ts'
import { sendRequest } from './http-client.ts'
import { operate } from './operator-client.ts'
import type { ServedApp } from './serve-app.ts'

export function isManaged(app: () => ServedApp): void {
  const get = async (path: string, headers = {}) => {
    const reply = await sendRequest(app().origin, { method: 'GET', path: `/management${path}`, headers })
    return { status: reply.status, body: JSON.parse(reply.body), headers: reply.headers }
  }

  describe('has management endpoints', () => {
    it('with the health of database and disk, without details for unauthorized callers', async () => {
      const { status, body, headers } = await get('/health')
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: 'UP', components: { db: { status: 'UP' }, diskSpace: { status: 'UP' } } })
      expect(JSON.stringify(body)).not.toContain('details')
      expect(headers).toMatchObject({
        'x-version-id': '1.2.3+test',
        'x-request-id': expect.stringMatching(uuidPattern),
      })
      expect((await get('/health', { Authorization: 'Bearer b-token' })).body).toEqual(body)
    })

    it('with details for callers with the token', async () => {
      const { db, diskSpace } = (await get('/health', { Authorization: 'Bearer a-token' })).body.components
      expect(db.details.database).toMatch(/^PostgreSQL \d/)
      expect(diskSpace.details).toMatchObject({ free: expect.any(Number), exists: true })
    })

    it('with probes', async () => {
      expect((await get('/health/liveness')).status).toBe(200)
      expect((await get('/health/readiness')).status).toBe(200)
    })

    it('with loggers, whose levels an operator changes', async () => {
      const headers = { Authorization: 'Bearer a-token', 'Content-Type': 'application/json' }
      const change = (level: string | null, sent: Readonly<Record<string, string>>) =>
        sendRequest(app().origin, {
          path: '/management/loggers/webhook-receiver.messages',
          headers: sent,
          body: JSON.stringify({ configuredLevel: level }),
        })
      expect((await change('OFF', { 'Content-Type': 'application/json' })).status).toBe(401)
      expect((await change('OFF', headers)).status).toBe(204)
      const quiet = app().records.length
      await sendRequest(app().origin, { path: `/hooks/${app().key}`, body: '{' })
      expect(app().records).toHaveLength(quiet)
      expect((await change(null, headers)).status).toBe(204)
    })

    it('with a log of each message, with its hook and trace, and without keys', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      // A hook of its own, whose refusals are not too many yet.
      const { id, key } = (await operate(app().origin, 'POST', '/hooks', {})).content
      for (const body of ['{"text":"a"}', '{"text":1}']) {
        await sendRequest(app().origin, { path: `/hooks/${key}`, headers: { traceparent }, body })
      }
      const [stored, refused] = app()
        .records.slice(-2)
        .map((line) => JSON.parse(line))
      const traced = { trace_id: '0af7651916cd43dd8448eb211c80319c', hook: id }
      expect(stored).toMatchObject({ level: 'DEBUG', message: 'stored a message', ...traced })
      expect(refused).toMatchObject({ level: 'INFO', message: 'refused a message', status: 400, ...traced })
      expect(app().records.join('')).not.toContain(key)
    })

    it('with a log of at most ten refused messages per hook and minute', async () => {
      const { id, key } = (await operate(app().origin, 'POST', '/hooks', {})).content
      for (let at = 0; at < 30; at++) await sendRequest(app().origin, { path: `/hooks/${key}`, body: '{' })
      const refusals = app().records.filter((line) => line.includes('refused a message') && line.includes(id))
      expect(refusals).toHaveLength(10)
    })

    it('with meters by hook and outcome', async () => {
      await sendRequest(app().origin, { path: `/hooks/${app().key}`, body: '{"text":"a"}' })
      const reply = await sendRequest(app().origin, { method: 'GET', path: '/management/prometheus' })
      expect(reply.status).toBe(200)
      expect(reply.body).toMatch(
        new RegExp(`webhook_messages_total\\{hook="${app().hookId}",outcome="stored"\\} [1-9]`),
      )
      for (const name of ['webhook_message_size_bytes_count', 'webhook_store_seconds_count']) {
        expect(reply.body).toMatch(new RegExp(`^${name} [1-9]`, 'm'))
      }
    })

    it('with its name and version', async () => {
      expect((await get('/info')).body.application).toEqual({
        name: 'webhook-receiver',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      })
    })
  })
}
