import { describe, expect, it } from 'vitest'
import { expectErrorDocument } from './expect-error-document.ts'
import { json, sendRequest } from './http-client.ts'
import { operate } from './operator-client.ts'
import type { ServedApp } from './serve-app.ts'

const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

export function requiresAuthorization(app: () => ServedApp): void {
  const addresses: readonly (readonly [string, (id: string) => string])[] = [
    ['GET', () => '/hooks'],
    ['POST', () => '/hooks'],
    ['GET', (id) => `/hooks/${id}`],
    ['HEAD', (id) => `/hooks/${id}`],
    ['PUT', (id) => `/hooks/${id}`],
    ['DELETE', (id) => `/hooks/${id}`],
    ['POST', (id) => `/hooks/${id}/rotate-key`],
    ['POST', (id) => `/hooks/${id}/rotate-signing-secret`],
    ['GET', (id) => `/hooks/${id}/messages`],
    ['POST', (id) => `/hooks/${id}/messages/search`],
    ['GET', (id) => `/hooks/${id}/messages/${id}`],
  ]

  describe('requires authorization', () => {
    it.each(addresses)('at %s %s, whether or not it exists', async (method, path) => {
      const takesBody = method === 'POST' || method === 'PUT'
      for (const id of [app().hookId, '00000000-0000-7000-8000-000000000000']) {
        for (const authorization of [undefined, 'Bearer b-token', basic('operator', 'b-token'), basic('a-token', '')]) {
          const headers = { ...json, ...(authorization !== undefined && { Authorization: authorization }) }
          const reply = await sendRequest(app().origin, {
            method,
            path: path(id),
            headers,
            body: takesBody ? '{}' : '',
          })
          expect(reply.status).toBe(401)
          expect(reply.headers['www-authenticate']).toBe(
            'Basic realm="management", charset="UTF-8", Bearer realm="management"',
          )
          if (method !== 'HEAD') expectErrorDocument(reply, 401)
        }
      }
    })

    it.each(['GET', 'DELETE'])('at %s of a hook with an invalid id', async (method) => {
      expectErrorDocument(await sendRequest(app().origin, { method, path: '/hooks/17' }), 401)
    })

    it('unless they have the token, as a bearer token or as a password', async () => {
      for (const Authorization of ['Bearer a-token', 'bearer a-token', basic('operator', 'a-token')]) {
        const reply = await sendRequest(app().origin, { method: 'GET', path: '/hooks', headers: { Authorization } })
        expect(reply.status).toBe(200)
      }
    })

    it('that other sites make a browser send: forms, and bodies without a type', async () => {
      const types = [{}, { 'Content-Type': 'text/plain' }, { 'Content-Type': 'application/x-www-form-urlencoded' }]
      for (const path of ['', `/${app().hookId}/rotate-key`, `/${app().hookId}/rotate-signing-secret`]) {
        for (const type of types) {
          const headers = { Authorization: basic('operator', 'a-token'), ...type }
          for (const body of ['{}', '']) {
            const reply = await sendRequest(app().origin, { path: `/hooks${path}`, headers, body })
            expectErrorDocument(reply, 415)
          }
        }
      }
    })
  })

  it.each<[string, string, (key: string, id: string) => string, number]>([
    ['a key', 'GET', (key) => `/hooks/${key}`, 405],
    ['what stands below a key', 'GET', (key) => `/hooks/${key}/messages`, 404],
    ['an id in capitals', 'GET', (_, id) => `/hooks/${id.toUpperCase()}`, 404],
    ['an id of another form', 'GET', () => '/hooks/17', 404],
    ['an id and a slash', 'GET', (_, id) => `/hooks/${id}/`, 404],
    ['what is not there below an id', 'GET', (_, id) => `/hooks/${id}/keys`, 404],
    ['a message to an id', 'POST', (_, id) => `/hooks/${id}`, 405],
    ['a search that is read', 'GET', (_, id) => `/hooks/${id}/messages/search`, 405],
  ])('responds with 404 to operators at %s', async (_name, method, path, status) => {
    const body = method === 'POST' ? { text: 'a' } : undefined
    expectErrorDocument(await operate(app().origin, method, path(app().key, app().hookId), body), status)
  })
}
