import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../examples/webhook-receiver/database/database.ts'
import { ask, json, post, type Reply } from './ask.ts'
import { difficultTexts } from './difficult-texts.ts'
import { type HostileRequest, hostileRequests } from './hostile-requests.ts'
import { type ServedApp, serveApp } from './serve-app.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const aDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/** What the receiver does over any database: `open` opens an empty one, with its tables. */
export function receiverOver(name: string, open: () => Promise<Database>): void {
  describe(`the receiver over ${name}`, () => {
    let database: Database
    let app: ServedApp

    beforeAll(async () => {
      database = await open()
      app = await serveApp(database)
    })
    afterEach(async () => {
      await database.query('delete from messages')
    })
    afterAll(async () => {
      await app.stop()
      await database.close()
    })

    const send = (body: string | Uint8Array, headers: HostileRequest['headers'] = json, path = `/hooks/${app.key}`) =>
      ask(app.origin, { path, headers, body })

    describe('acknowledges', () => {
      it('with two characters of plain text, once the message is stored', async () => {
        const reply = await post(app.origin, app.key, 'Hello')

        expect(reply.status).toBe(200)
        expect(reply.body).toBe('ok')
        expect(reply.headers).toEqual({
          'content-type': 'text/plain',
          'content-length': '2',
          'x-request-id': expect.stringMatching(uuid),
          'x-version-id': '1.2.3+test',
          date: expect.stringMatching(aDate),
          connection: 'close',
        })
        expect(await app.texts()).toEqual(['Hello'])
      })

      it.each([...difficultTexts])('%s, and stores it as it was', async (_name, text) => {
        expect((await post(app.origin, app.key, text)).body).toBe('ok')
        expect(await app.texts()).toEqual([text])
      })

      it('any text, and stores it as it was', async () => {
        const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((each) => !each.includes('\0'))
        await fc.assert(
          fc.asyncProperty(text, async (each) => {
            expect((await post(app.origin, app.key, each)).body).toBe('ok')
            expect(await app.texts()).toEqual([each])
            await database.query('delete from messages')
          }),
          { numRuns: 50 },
        )
      })

      it.each<[string, string | Uint8Array, HostileRequest['headers']]>([
        ['escapes of every kind', '{"text":"\\u0061\\ud83d\\ude00\\n\\/"}', json],
        ['a name that is escaped', '{"\\u0074ext":"a😀\\n/"}', json],
        ['blanks around', ' \r\n\t{ "text" : "a😀\\n/" } \r\n', json],
        ['other members', '{"username":"ci","n":1e999,"__proto__":{"text":"b"},"text":"a😀\\n/"}', json],
        ['the same name in two objects', '{"a":{"text":"b"},"b":{"text":"c"},"text":"a😀\\n/"}', json],
        ['names with braces and quotes', '{"{\\"a\\":[":{"}":"\\\\"},"text":"a😀\\n/"}', json],
        ['a member 64 deep', `{"text":"a😀\\n/","b":${'['.repeat(63)}${']'.repeat(63)}}`, json],
        ['a charset', '{"text":"a😀\\n/"}', { 'Content-Type': 'application/json; charset=utf-8' }],
        ['a quoted charset', '{"text":"a😀\\n/"}', { 'Content-Type': 'application/json;CharSet="UTF-8"' }],
        ['a type in capitals', '{"text":"a😀\\n/"}', { 'Content-Type': 'Application/JSON' }],
        ['gzip', gzipSync('{"text":"a😀\\n/"}'), { ...json, 'Content-Encoding': 'gzip' }],
        ['chunks', '{"text":"a😀\\n/"}', { ...json, 'Transfer-Encoding': 'chunked' }],
      ])('a body with %s', async (_name, body, headers) => {
        expect((await send(body, headers)).body).toBe('ok')
        expect(await app.texts()).toEqual(['a😀\n/'])
      })

      it('a body of exactly 64 KiB', async () => {
        const text = 'a'.repeat(65_536 - '{"text":""}'.length)
        expect((await post(app.origin, app.key, text)).body).toBe('ok')
        expect(await app.texts()).toEqual([text])
      })

      it('many at once, each stored once', async () => {
        const texts = Array.from({ length: 200 }, (_, at) => `message ${at}`)
        const replies = await Promise.all(texts.map((text) => post(app.origin, app.key, text)))
        expect(replies.filter(({ body }) => body !== 'ok')).toEqual([])
        expect([...(await app.texts())].sort()).toEqual([...texts].sort())
      })
    })

    describe('refuses and stores nothing of', () => {
      it.each([...hostileRequests])('%s', async (_name, { body, headers, status, says }) => {
        const reply = await send(body, headers)
        expectErrorDocument(reply, status)
        if (says !== undefined) expect(JSON.parse(reply.body).detail).toMatch(says)
        expect(await app.texts()).toEqual([])
        expect((await post(app.origin, app.key, 'still here')).body).toBe('ok')
      })

      const otherKey = 'abcdefghijkmnopqrstuvwxyz2'
      it.each<[string, (key: string) => string, number]>([
        ['a key that no hook has', () => `/hooks/${otherKey}`, 404],
        ['a key of another form', () => '/hooks/nope', 404],
        ['no key', () => '/hooks', 404],
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
        ['another path', () => '/', 404],
      ])('a message to %s', async (_name, path, status) => {
        expectErrorDocument(await send('{"text":"a"}', json, path(app.key)), status)
        expect(await app.texts()).toEqual([])
      })

      it('a broken message to an unknown key, of which it says that there is no such hook', async () => {
        for (const [body, headers] of [
          ['{', json],
          ['a', {}],
          ['', {}],
          ['a'.repeat(100_000), json],
        ] as const) {
          expectErrorDocument(await send(body, headers, `/hooks/${otherKey}`), 404)
        }
      })

      it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'])('%s', async (method) => {
        const reply = await ask(app.origin, { method, path: `/hooks/${app.key}` })
        expect(reply.status).toBe(405)
        expect(reply.headers.allow).toBe('OPTIONS, POST')
        if (method === 'HEAD') expect(reply.body).toBe('')
        else expectErrorDocument(reply, 405)
      })
    })

    it.each([
      ['no HTTP', 'hello\r\n\r\n'],
      ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['a method of its own making', 'P\x00ST /hooks/KEY HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['a blank in the target', 'POST /hooks/ KEY HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['no Host', 'POST /hooks/KEY HTTP/1.1\r\n\r\n'],
      ['a blank before the colon', 'POST /hooks/KEY HTTP/1.1\r\nHost : a\r\n\r\n'],
      ['a length of -1', 'POST /hooks/KEY HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
      ['two lengths', 'POST /hooks/KEY HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
      [
        'a length and chunks',
        'POST /hooks/KEY HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['headers of 100 kB', `POST /hooks/KEY HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`],
      [
        'a chunk of no size',
        'POST /hooks/KEY HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
      ],
      [
        'a body that is cut off',
        'POST /hooks/KEY HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"text":"a"}',
      ],
    ])('survives a sender of %s', async (_name, sent) => {
      const { hostname, port } = new URL(app.origin)
      const socket = connect(Number(port), hostname)
      socket.end(sent.replace('KEY', app.key), 'latin1')
      // A connection that is reset because the sender had more to say has answered as well.
      const answer = await socket.toArray().catch(() => [])
      expect(Buffer.concat(answer).toString()).toMatch(/^$|^HTTP\/1\.1 4\d\d /)
      expect((await post(app.origin, app.key, 'still here')).body).toBe('ok')
      expect(await app.texts()).toEqual(['still here'])
    })

    it('answers OPTIONS with what is allowed', async () => {
      const reply = await ask(app.origin, { method: 'OPTIONS', path: `/hooks/${app.key}` })
      expect([reply.status, reply.headers.allow, reply.body]).toEqual([204, 'OPTIONS, POST', ''])
    })

    it('sends an error document as application/json to whom accepts only that', async () => {
      const reply = await send('{', { ...json, Accept: 'application/json' })
      expect([reply.status, reply.headers['content-type']]).toEqual([400, 'application/json'])
    })

    it.each([
      ['a UUID', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
      ['any visible ASCII', `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`],
      ['one character', 'a'],
      ['128 characters', 'a'.repeat(128)],
    ])('repeats a request id of %s', async (_name, id) => {
      expect((await send('{"text":"a"}', { ...json, 'X-Request-Id': id })).headers['x-request-id']).toBe(id)
      expect((await send('{', { ...json, 'X-Request-Id': id })).headers['x-request-id']).toBe(id)
    })

    it.each([
      ['129 characters', 'a'.repeat(129)],
      ['a blank', 'a b'],
      ['a tab', 'a\tb'],
      ['Latin-1', 'caf\u00e9'],
      ['nothing', ''],
      ['two', ['a', 'b']],
    ])('puts an id of its own in place of a request id of %s', async (_name, id) => {
      const { headers } = await ask(app.origin, { path: '/', headers: { 'X-Request-Id': id } })
      expect(headers['x-request-id']).toMatch(uuid)
    })

    it('gives every request another id', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, async () => (await send('{')).headers['x-request-id']))
      expect(new Set(ids).size).toBe(20)
    })

    describe('management', () => {
      const get = async (path: string, headers = {}) => {
        const reply = await ask(app.origin, { method: 'GET', path: `/management${path}`, headers })
        return { status: reply.status, body: JSON.parse(reply.body), headers: reply.headers }
      }
      const token = { Authorization: 'Bearer a-token' }

      it('is healthy, with database and disk, without details for strangers', async () => {
        const { status, body, headers } = await get('/health')
        expect(status).toBe(200)
        expect(body).toMatchObject({ status: 'UP', components: { db: { status: 'UP' }, diskSpace: { status: 'UP' } } })
        expect(JSON.stringify(body)).not.toContain('details')
        expect(headers).toMatchObject({ 'x-version-id': '1.2.3+test', 'x-request-id': expect.stringMatching(uuid) })
        expect((await get('/health', { Authorization: 'Bearer b-token' })).body).toEqual(body)
      })

      it('tells details to callers with the token', async () => {
        const { db, diskSpace } = (await get('/health', token)).body.components
        expect(db.details.database).toMatch(/^PostgreSQL \d/)
        expect(diskSpace.details).toMatchObject({ free: expect.any(Number), exists: true })
      })

      it('is alive and ready', async () => {
        expect((await get('/health/liveness')).status).toBe(200)
        expect((await get('/health/readiness')).status).toBe(200)
      })

      it('tells its name and version', async () => {
        expect((await get('/info')).body.application).toEqual({
          name: 'webhook-receiver',
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        })
      })
    })

    it('has reported nothing: no sender can make the receiver fail', () => {
      expect(app.reports).toEqual([])
    })
  })
}

/** Checks that a reply is an error document that tells of nothing internal. */
export function expectErrorDocument(reply: Reply, status: number): void {
  expect(reply.status, reply.body).toBe(status)
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)))
  expect(reply.headers['x-request-id']).toMatch(uuid)
  expect(reply.headers['x-version-id']).toBe('1.2.3+test')
  expect(JSON.parse(reply.body)).toMatchObject({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z]/),
    status,
  })
  expect(reply.body).not.toMatch(/node_modules|\.ts\b|at .+:\d+:\d+|select |insert |pglite|postgres|ECONN/i)
}
