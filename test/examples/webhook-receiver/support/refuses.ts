import { describe, expect, it } from 'vitest'
import { expectErrorDocument } from './expect-error-document.ts'
import { hostileRequests } from './hostile-requests.ts'
import { json, post, sendRequest } from './http-client.ts'
import type { ServedApp } from './serve-app.ts'

const otherKey = 'abcdefghijkmnopqrstuvwxyz2'

export function refuses(app: () => ServedApp): void {
  describe('refuses and does not store', () => {
    it.each([...hostileRequests])('%s', async (_name, { body, headers = json, status, expectedDetail }) => {
      const reply = await sendRequest(app().origin, { path: `/hooks/${app().key}`, headers, body })
      expectErrorDocument(reply, status)
      if (expectedDetail !== undefined) expect(JSON.parse(reply.body).detail).toMatch(expectedDetail)
      expect(await app().texts()).toEqual([])
    })

    it.each<[string, (key: string) => string, number]>([
      ['a key that no hook has', () => `/hooks/${otherKey}`, 404],
      ['a key of another form', () => '/hooks/nope', 404],
      ['no key', () => '/hooks', 401],
      ['an empty key', () => '/hooks/', 404],
      ['a key and a slash', (key) => `/hooks/${key}/`, 404],
      ['a key and more', (key) => `/hooks/${key}/messages`, 404],
      ['a key in capitals', (key) => `/hooks/${key.toUpperCase()}`, 404],
      ['a key that begins right', (key) => `/hooks/${key.slice(0, -1)}`, 404],
      ['a key and a NUL', (key) => `/hooks/${key}%00`, 404],
      ['a key and an encoded slash', (key) => `/hooks/${key}%2F`, 404],
      ['a wildcard for a key', () => '/hooks/%25', 404],
      ['SQL for a key', () => "/hooks/'%20or%20''='", 404],
      ['__proto__ for a key', () => '/hooks/__proto__', 404],
      ['a key of 8,000 characters', () => `/hooks/${'a'.repeat(8_000)}`, 404],
      ['a key that is no UTF-8', () => '/hooks/%E0', 400],
      ['a cut escape', (key) => `/hooks/${key}%`, 400],
      ['the path in capitals', (key) => `/HOOKS/${key}`, 404],
      ['two slashes in front', (key) => `//hooks/${key}`, 404],
      ['two slashes between', (key) => `/hooks//${key}`, 404],
      ['a way up', (key) => `/a/../hooks/${key}`, 404],
      ['an encoded way up', (key) => `/a/%2e%2e/hooks/${key}`, 404],
      ['another path', () => '/elsewhere', 404],
      ['the start page', () => '/', 405],
    ])('a message to %s', async (_name, path, status) => {
      const reply = await sendRequest(app().origin, { path: path(app().key), headers: json, body: '{"text":"a"}' })
      expectErrorDocument(reply, status)
      expect(await app().texts()).toEqual([])
    })

    it.each([
      ['broken', '{', json],
      ['of no type', 'a', {}],
      ['empty', '', {}],
      ['large', 'a'.repeat(100_000), json],
    ])(
      'a message that is %s to an unknown key, of which it says that there is no such hook',
      async (_, body, headers) => {
        expectErrorDocument(await sendRequest(app().origin, { path: `/hooks/${otherKey}`, headers, body }), 404)
      },
    )

    it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'])('%s', async (method) => {
      const reply = await sendRequest(app().origin, { method, path: `/hooks/${app().key}` })
      expect(reply.status).toBe(405)
      expect(reply.headers.allow).toBe('OPTIONS, POST')
      if (method === 'HEAD') expect(reply.body).toBe('')
      else expectErrorDocument(reply, 405)
    })
  })

  it('accepts a message after all that it has refused', async () => {
    expect((await post(app().origin, app().key, 'still here')).body).toBe('ok')
  })

  it('responds to OPTIONS with the allowed methods', async () => {
    const reply = await sendRequest(app().origin, { method: 'OPTIONS', path: `/hooks/${app().key}` })
    expect([reply.status, reply.headers.allow, reply.body]).toEqual([204, 'OPTIONS, POST', ''])
  })

  it('sends an error document as application/json to clients that accept only that', async () => {
    const headers = { ...json, Accept: 'application/json' }
    const reply = await sendRequest(app().origin, { path: `/hooks/${app().key}`, headers, body: '{' })
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'application/json'])
  })
}
