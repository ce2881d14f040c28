import { describe, expect, it } from 'vitest'
import { basicAuth, createManagement, type Management } from '../../src/index.ts'
import type { Ask } from '../support/ask.ts'
import type { Subject } from './subject.ts'

/** A management of which each endpoint is for somebody else. */
export function createGuardedManagement(basePath = '/management'): Management {
  return createManagement({
    basePath,
    application: { name: 'orders' },
    expose: ['health', 'info', 'metrics', 'prometheus'],
    access: { health: 'public', info: 'authorized', metrics: { roles: ['ops', 'dev'] }, prometheus: 'none' },
    health: {
      indicators: { db: () => ({ status: 'UP', details: { database: 'PostgreSQL 17' } }) },
      showDetails: 'when-authorized',
      roles: ['ops'],
    },
    info: { build: false, git: false },
    metrics: { runtime: false },
    authorize: basicAuth([
      { username: 'alice', password: 'secret' },
      { username: 'olga', password: 'secret', roles: ['ops'] },
    ]),
  })
}

const anybody = {}
const alice = { Authorization: `Basic ${btoa('alice:secret')}` }
const guess = { Authorization: `Basic ${btoa('olga:guess')}` }
const olga = { Authorization: `Basic ${btoa('olga:secret')}` }
const challenge = 'Basic realm="management", charset="UTF-8"'

/** Who may call which endpoint, through every adapter. */
export function accessOverHttp(subject: () => Subject): void {
  const ask = (path: string, request: Omit<Ask, 'target'> = {}) =>
    subject().ask({ ...request, target: `${subject().at}${path}` })

  describe('access', () => {
    const calls = [
      ['/health', 200, 200, 200, 200],
      ['/health/liveness', 200, 200, 200, 200],
      ['/health/db', 404, 404, 404, 200],
      ['/info', 401, 401, 200, 200],
      ['/metrics', 401, 401, 403, 200],
      ['/metrics/http.server.requests', 401, 401, 403, 404],
      ['/prometheus', 404, 404, 404, 404],
      ['', 200, 200, 200, 200],
    ] as const

    it.each(calls)(
      'to %s answers nobody %i, who guesses %i, who is known %i and who has the role %i',
      async (path, ...statuses) => {
        const callers = [anybody, guess, alice, olga]
        for (const method of ['GET', 'HEAD']) {
          const answers = await Promise.all(callers.map((headers) => ask(path, { method, headers })))
          expect([method, ...answers.map(({ status }) => status)]).toEqual([method, ...statuses])
          for (const { status, headers } of answers) {
            expect([status, headers['www-authenticate']]).toEqual([
              status,
              status === 401 || status === 403 ? challenge : undefined,
            ])
          }
        }
      },
    )

    it('is refused with an error document that nobody may keep, and HEAD has its fields', async () => {
      const get = await ask('/metrics', { headers: alice })
      expect(get).toMatchObject({
        status: 403,
        headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      })
      expect(JSON.parse(get.body)).toEqual({
        type: 'about:blank',
        title: 'Forbidden',
        status: 403,
        detail: 'You are known, and not authorized to call this resource.',
        instance: `${subject().at}/metrics`,
      })
      const head = await ask('/metrics', { method: 'HEAD', headers: alice })
      expect([head.body, head.headers['content-length']]).toEqual(['', String(Buffer.byteLength(get.body))])
    })

    it('is not asked for by who wants to know what can be done, which a browser asks without credentials', async () => {
      for (const path of ['/info', '/metrics']) {
        expect(await ask(path, { method: 'OPTIONS' })).toMatchObject({
          status: 204,
          headers: { allow: 'GET, HEAD, OPTIONS' },
        })
        expect((await ask(path, { method: 'DELETE' })).status).toBe(405)
      }
      expect((await ask('/prometheus', { method: 'OPTIONS' })).status).toBe(404)
    })

    it('comes before what the copy of a caller could say', async () => {
      const { headers } = await ask('/info', { headers: alice })
      const copy = { 'If-None-Match': headers['etag'] ?? '' }
      expect((await ask('/info', { headers: copy })).status).toBe(401)
      expect((await ask('/info', { headers: { ...copy, ...alice } })).status).toBe(304)
    })

    it('lets no cache that is for several keep what is not for everybody', async () => {
      expect((await ask('/info', { headers: alice })).headers['cache-control']).toBe('no-cache, private')
      expect((await ask('')).headers['cache-control']).toBe('max-age=60')
    })

    it('tells details to who has the role, and never what they were told to anybody else', async () => {
      const whole = async (headers: Readonly<Record<string, string>>) =>
        JSON.parse((await ask('/health', { headers })).body).components
      for (let round = 0; round < 3; round++) {
        expect(await whole(olga)).toMatchObject({ db: { status: 'UP', details: { database: 'PostgreSQL 17' } } })
        for (const stranger of [anybody, alice, guess]) expect(await whole(stranger)).toBeUndefined()
      }
    })

    it('is not what the page at the base path tells: it links to whatever there is', async () => {
      const { _links: links } = JSON.parse((await ask('')).body)
      expect(Object.keys(links)).toEqual([
        'self',
        'health',
        'health-path',
        'info',
        'metrics',
        'metrics-requiredMetricName',
      ])
    })
  })
}
