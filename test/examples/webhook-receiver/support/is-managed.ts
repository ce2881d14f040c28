import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { aUuid } from './expect-error-document.ts'
import type { ServedApp } from './serve-app.ts'

export function isManaged(app: () => ServedApp): void {
  const get = async (path: string, headers = {}) => {
    const reply = await ask(app().origin, { method: 'GET', path: `/management${path}`, headers })
    return { status: reply.status, body: JSON.parse(reply.body), headers: reply.headers }
  }

  describe('is managed', () => {
    it('with a health of database and disk, without details for strangers', async () => {
      const { status, body, headers } = await get('/health')
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: 'UP', components: { db: { status: 'UP' }, diskSpace: { status: 'UP' } } })
      expect(JSON.stringify(body)).not.toContain('details')
      expect(headers).toMatchObject({ 'x-version-id': '1.2.3+test', 'x-request-id': expect.stringMatching(aUuid) })
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

    it('with its name and version', async () => {
      expect((await get('/info')).body.application).toEqual({
        name: 'webhook-receiver',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      })
    })
  })
}
