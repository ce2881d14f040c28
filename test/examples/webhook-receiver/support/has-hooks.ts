import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { expectErrorDocument, uuidPattern } from './expect-error-document.ts'
import { json, post, sendRequest } from './http-client.ts'
import { type OperatorResponse, operate } from './operator-client.ts'
import type { ServedApp } from './serve-app.ts'

const keyPattern = /^[a-z2-8]{26}$/
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export function hasHooks(app: () => ServedApp): void {
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    operate(app().origin, method, path, body, headers)
  const create = async (body: unknown = {}): Promise<OperatorResponse> => {
    const created = await call('POST', '/hooks', body)
    expect(created.status, created.body).toBe(201)
    return created
  }
  const tagOf = async (path: string) => String((await call('GET', path)).headers.etag)

  describe('has hooks as a collection: it', () => {
    it('creates one, returns its location and its key, and never returns the key again', async () => {
      const { content, headers } = await create({ name: 'Builds' })
      expect(content).toMatchObject({
        id: expect.stringMatching(uuidPattern),
        key: expect.stringMatching(keyPattern),
        name: 'Builds',
        enabled: true,
        signed: false,
        version: 1,
        createdAt: expect.stringMatching(timePattern),
        keys: [{ createdAt: expect.stringMatching(timePattern), expiresAt: null }],
      })
      expect(headers).toMatchObject({ location: `/hooks/${content.id}`, 'cache-control': 'no-store' })
      // The key is in no other representation of the hook.
      expect(headers['content-location']).toBeUndefined()
      expect((await post(app().origin, content.key, 'a')).body).toBe('ok')

      const read = await call('GET', `/hooks/${content.id}`)
      const { key, ...rest } = content
      expect(read.content).toEqual(rest)
      for (const path of ['/hooks?pageSize=100', `/hooks/${content.id}`, `/hooks/${content.id}/messages`]) {
        expect((await call('GET', path)).body).not.toContain(key)
      }
    })

    it('shows them to browsers, and their JSON to others', async () => {
      const { content } = await create({ name: `<i>${Math.random()}</i>` })
      const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
      const page = await call('GET', '/hooks', undefined, browser)
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      expect(page.headers.vary).toContain('Accept')
      expect(page.body).toContain(`<a href="/hooks/${content.id}" dir="auto">&lt;i&gt;`)
      expect((await call('HEAD', '/hooks', undefined, { Accept: 'text/html' })).status).toBe(200)
      for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
        expect((await call('GET', '/hooks', undefined, headers)).headers['content-type']).toMatch(/^application\/json/)
      }
      const stranger = await call('GET', '/hooks', undefined, { ...browser, Authorization: 'Bearer b-token' })
      expectErrorDocument(stranger, 401)
    })

    it('is the target of the start page', async () => {
      const { status, headers } = await sendRequest(app().origin, { method: 'GET', path: '/' })
      expect([status, headers.location]).toEqual([303, '/hooks'])
      expect((await sendRequest(app().origin, { method: 'OPTIONS', path: '/' })).headers.allow).toBe(
        'GET, HEAD, OPTIONS',
      )
    })

    it('paginates and filters them, and returns selected fields', async () => {
      const names = ['one', 'two', 'three'].map((name) => `${name} ${Math.random()}`)
      for (const name of names) await create({ name, enabled: name !== names[1] })
      const page = await call('GET', '/hooks?pageSize=2&pageStartIndex=1')
      expect(page.content).toHaveLength(2)
      expect(Number(page.headers['x-total-count'])).toBeGreaterThanOrEqual(4)
      expect(page.headers['link']).toContain('rel="next"')
      const filter = `name=${encodeURIComponent(names[1] ?? '')}`
      expect((await call('GET', `/hooks?${filter}&enabled=false&fields=name`)).content).toEqual([{ name: names[1] }])
      expect((await call('GET', `/hooks?${filter}&enabled=true`)).content).toEqual([])
      expectErrorDocument(await call('GET', '/hooks?enabled=perhaps'), 400)
      expectErrorDocument(await call('GET', '/hooks?name=%00'), 400)
      expectErrorDocument(await call('GET', '/hooks?pageSize=0'), 400)
    })

    it('replaces one only in the version that was seen', async () => {
      const { content } = await create()
      const path = `/hooks/${content.id}`
      const body = { name: 'Other', enabled: false, signed: false }
      expectErrorDocument(await call('PUT', path, body), 428)
      expectErrorDocument(await call('PUT', path, body, { 'If-Match': '"a"' }), 412)
      const seen = { 'If-Match': await tagOf(path) }
      expect((await call('PUT', path, body, seen)).status).toBe(204)
      expectErrorDocument(await call('PUT', path, { ...body, name: 'Late' }, seen), 412)
      expect((await call('GET', path)).content).toMatchObject({ ...body, version: 2 })
      expect((await call('GET', path, undefined, { 'If-None-Match': await tagOf(path) })).status).toBe(304)
    })

    it('has the time of the last change, including the expiry of a key', async () => {
      const { content } = await create()
      const path = `/hooks/${content.id}`
      const lastModified = async () => (await call('GET', path)).headers['last-modified']
      expect(await lastModified()).toBe(new Date(content.updatedAt).toUTCString())
      const rotated = (await call('POST', `${path}/rotate-key`, { overlapSeconds: 3_600 })).content
      expect(await lastModified()).toBe(new Date(rotated.updatedAt).toUTCString())
      // As it is two hours later.
      const { query } = app().database
      await query(`update hooks set updated_at = updated_at - interval '2 hours' where id = $1`, [content.id])
      await query(`update hook_keys set expires_at = expires_at - interval '2 hours' where hook_id = $1`, [content.id])
      expect((await call('GET', path)).content.keys).toHaveLength(1)
      expect(await lastModified()).toBe(new Date(Date.parse(rotated.keys[1].expiresAt) - 7_200_000).toUTCString())
    })

    it('accepts one of two concurrent replacements of the same version', async () => {
      const { content } = await create()
      const path = `/hooks/${content.id}`
      const seen = { 'If-Match': await tagOf(path) }
      const bodies = Array.from({ length: 8 }, (_, at) => ({ name: String(at), enabled: true, signed: false }))
      const statuses = (await Promise.all(bodies.map((body) => call('PUT', path, body, seen)))).map(
        ({ status }) => status,
      )
      expect(statuses.sort()).toEqual([204, ...Array.from({ length: 7 }, () => 412)])
    })

    it('refuses messages while one is disabled', async () => {
      const { content } = await create()
      const path = `/hooks/${content.id}`
      for (const enabled of [false, true]) {
        const body = { name: '', enabled, signed: false }
        expect((await call('PUT', path, body, { 'If-Match': await tagOf(path) })).status).toBe(204)
        const reply = await post(app().origin, content.key, 'a')
        if (enabled) expect(reply.body).toBe('ok')
        else expectErrorDocument(reply, 403)
      }
    })

    it('removes one with its messages', async () => {
      const { content } = await create()
      const path = `/hooks/${content.id}`
      await post(app().origin, content.key, 'a')
      expectErrorDocument(await call('DELETE', path), 428)
      expect((await call('DELETE', path, undefined, { 'If-Match': await tagOf(path) })).status).toBe(204)
      for (const method of ['GET', 'HEAD']) expect((await call(method, path)).status).toBe(404)
      expectErrorDocument(await call('GET', `${path}/messages`), 404)
      expectErrorDocument(await post(app().origin, content.key, 'a'), 404)
      expect(await app().texts()).toEqual([])
    })

    it('rotates its key, and accepts previous keys for the given overlap', async () => {
      const { content } = await create()
      const rotate = (body: unknown) => call('POST', `/hooks/${content.id}/rotate-key`, body)
      const second = await rotate({})
      expect(second.headers['cache-control']).toBe('no-store')
      expect(second.content).toMatchObject({ version: 2, key: expect.stringMatching(keyPattern) })
      expect(second.content.keys).toEqual([
        { createdAt: expect.stringMatching(timePattern), expiresAt: null },
        { createdAt: expect.stringMatching(timePattern), expiresAt: expect.stringMatching(timePattern) },
      ])
      for (const key of [content.key, second.content.key]) expect((await post(app().origin, key, 'a')).body).toBe('ok')

      const third = await rotate({ overlapSeconds: 0 })
      expect(third.content.keys).toHaveLength(1)
      for (const key of [content.key, second.content.key]) expectErrorDocument(await post(app().origin, key, 'a'), 404)
      expect((await post(app().origin, third.content.key, 'a')).body).toBe('ok')
    })

    it.each([-1, 1.5, 31_536_001, '1', null])('rotates no key with an overlap of %j', async (overlapSeconds) => {
      const { content } = await create()
      expectErrorDocument(await call('POST', `/hooks/${content.id}/rotate-key`, { overlapSeconds }), 400)
    })

    it('creates a signing secret, returns it once, and removes it', async () => {
      const { content } = await create()
      const path = `/hooks/${content.id}`
      const made = await call('POST', `${path}/rotate-signing-secret`, {})
      expect(made.content).toMatchObject({ signed: true, signingSecret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) })
      expectErrorDocument(await post(app().origin, content.key, 'a'), 401)
      const body = '{"text":"signed"}'
      const signed = { 'webhook-id': 'a', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) }
      const signature = createHmac('sha256', Buffer.from(made.content.signingSecret.slice(6), 'base64'))
        .update(`a.${signed['webhook-timestamp']}.${body}`)
        .digest('base64')
      const headers = { ...json, ...signed, 'webhook-signature': `v1,${signature}` }
      expect((await sendRequest(app().origin, { path: `/hooks/${content.key}`, headers, body })).body).toBe('ok')
      expect((await call('GET', path)).body).not.toContain('whsec_')

      const unsigned = { name: '', enabled: true, signed: false }
      expect((await call('PUT', path, unsigned, { 'If-Match': await tagOf(path) })).status).toBe(204)
      expect((await post(app().origin, content.key, 'a')).body).toBe('ok')
      const again = { ...unsigned, signed: true }
      expectErrorDocument(await call('PUT', path, again, { 'If-Match': await tagOf(path) }), 409)
      expect((await create({ signed: true })).content).toMatchObject({
        signingSecret: expect.stringMatching(/^whsec_/),
      })
    })
  })
}
