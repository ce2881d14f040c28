import { createManagement } from 'upkeep'
import {
  createAdminCredential,
  type Registration,
  type RegistrationOptions,
  registerAtSpringBootAdmin,
} from 'upkeep/spring-boot-admin'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { instanceId, type Reply, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const managementUrl = 'http://orders:3000/management'
const quick = { managementUrl, period: '10ms', timeout: '200ms' } as const

let server: ScriptedServer
let other: ScriptedServer
let registrations: Registration[]
beforeEach(async () => {
  ;[server, other] = await Promise.all([startScriptedServer(), startScriptedServer()])
  registrations = []
})
afterEach(async () => {
  for (const each of [server, other]) each.respondWith(undefined)
  await Promise.all(registrations.map((each) => each.close()))
  await Promise.all([server.dispose(), other.dispose()])
})

function setUp(options: Partial<RegistrationOptions> = {}) {
  const reports: string[] = []
  const report = (message: string) => void reports.push(message)
  const management = createManagement({ application: { name: 'orders' }, metrics: { runtime: false }, report })
  const registration = registerAtSpringBootAdmin(management, { url: server.url, ...quick, ...options })
  registrations.push(registration)
  return { management, registration, reports }
}

describe('a registration', () => {
  it('is POST /instances with the name, the URLs and the metadata', async () => {
    setUp({
      serviceUrl: 'http://orders:3000/',
      tags: { environment: 'test' },
      metadata: { colour: 'blue' },
      credential: createAdminCredential({ username: 'ops', password: 'canary-7f3a' }),
      headers: { Authorization: 'Basic YWRtaW46YWRtaW4=' },
    })
    await server.arrived(1)
    const request = server.requests[0]
    expect(request).toMatchObject({
      method: 'POST',
      path: '/instances',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: 'Basic YWRtaW46YWRtaW4=',
        'user-agent': expect.stringMatching(/^upkeep\/\d/),
      },
    })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      name: 'orders',
      managementUrl,
      healthUrl: `${managementUrl}/health`,
      serviceUrl: 'http://orders:3000/',
      metadata: {
        startup: new Date(performance.timeOrigin).toISOString(),
        'tags.environment': 'test',
        colour: 'blue',
        'user.name': 'ops',
        'user.password': 'canary-7f3a',
      },
    })
  })

  it('has no credential, service URL and tags unless they are set', async () => {
    setUp({ metadata: { startup: '2026-01-01T00:00:00Z' } })
    await server.arrived(1)
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      name: 'orders',
      managementUrl,
      healthUrl: `${managementUrl}/health`,
      metadata: { startup: '2026-01-01T00:00:00Z' },
    })
  })

  it('is below the context path of the server, and has the health URL and name of the options', async () => {
    const healthUrl = 'http://orders:3000/healthz'
    setUp({ url: `${server.url}/admin/`, managementUrl: `${managementUrl}/`, healthUrl, name: 'shop' })
    await server.arrived(1)
    expect(server.requests[0]?.path).toBe('/admin/instances')
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ name: 'shop', healthUrl })
  })

  it.each([
    [{ health: '/healthz' }, 'http://orders:3000/healthz'],
    [{ health: 'status' }, `${managementUrl}/status`],
    [{ 'health/liveness': '/livez' }, `${managementUrl}/health`],
  ])('has the URL of health where the option paths places it: %j', async (paths, healthUrl) => {
    const management = createManagement({ application: { name: 'orders' }, metrics: { runtime: false }, paths })
    registrations.push(registerAtSpringBootAdmin(management, { url: server.url, ...quick, report: () => {} }))
    await server.arrived(1)
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ managementUrl, healthUrl })
    management.close()
  })

  it('is repeated each period with the same body', async () => {
    const { reports } = setUp()
    await server.arrived(5)
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1)
    expect(reports).toEqual([`spring-boot-admin: registered at ${server.url} as ${instanceId}`])
  })
})

const json = { 'Content-Type': 'application/json' }

type Failure = readonly [name: string, reply: Reply, reason: string]

const failures: readonly Failure[] = [
  ['401', { status: 401 }, '401; the option "headers" needs an Authorization that it accepts'],
  ['403', { status: 403 }, '403; the option "headers" needs an Authorization that it accepts'],
  [
    '400',
    { status: 400, headers: json, body: '{"status":400}' },
    '400; is the URL that of a Spring Boot Admin server?',
  ],
  ['404', { status: 404 }, '404; is the URL that of a Spring Boot Admin server?'],
  ['415', { status: 415 }, '415'],
  ['429', { status: 429, headers: { 'Retry-After': '600' } }, '429'],
  ['500', { status: 500, headers: json, body: '{"error":"canary-7f3a"}' }, '500'],
  ['503', { status: 503 }, '503'],
  [
    'a redirect',
    { status: 302, headers: { Location: '/login' } },
    '302; is the URL that of a Spring Boot Admin server?',
  ],
  [
    '201 without an identifier',
    { status: 201, headers: json, body: '{}' },
    '201 without a valid identifier; is it a Spring Boot Admin server?',
  ],
  [
    '201 with broken JSON',
    { status: 201, headers: json, body: '{"id":' },
    '201 without a valid identifier; is it a Spring Boot Admin server?',
  ],
  ...['\ud800', '..', 'a/b', 'a\nFORGED', '', 'x'.repeat(101)].map(
    (id): Failure => [
      `201 with the identifier ${JSON.stringify(id).slice(0, 20)}`,
      { status: 201, headers: json, body: JSON.stringify({ id }) },
      '201 without a valid identifier; is it a Spring Boot Admin server?',
    ],
  ),
  ['a page', { status: 200, body: '<html>' }, '200 without a valid identifier; is it a Spring Boot Admin server?'],
  ['content without an end', 'endless', '201 without a valid identifier; is it a Spring Boot Admin server?'],
  ['a reset', 'reset', 'Error: socket hang up (ECONNRESET)'],
  ['no response', 'hang', 'TimeoutError: no response within 200 ms'],
  ['half a response', 'hang after head', 'TimeoutError: no response within 200 ms'],
]

describe('a server that responds with', () => {
  it.each(failures)('%s is tried again each period, is reported once, and again when it recovers', async (...row) => {
    const [, reply, reason] = row
    server.respondWith(reply)
    const { reports } = setUp({ timeout: reason.startsWith('Timeout') ? '200ms' : '1m' })
    await server.arrived(3)
    const failed = `spring-boot-admin: failed to register at ${server.url}: ${reason}; retrying each 10ms`
    expect(reports).toEqual([failed])
    server.respondWith(undefined)
    await expect.poll(() => reports).toHaveLength(2)
    expect(reports[1]).toBe(`spring-boot-admin: registered at ${server.url} as ${instanceId}`)
    server.respondWith(reply)
    await expect.poll(() => reports).toHaveLength(3)
    expect(reports[2]).toBe(failed)
  })
})

describe('a server that is away', () => {
  it('is registered at when it is there', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { reports } = setUp({ url })
    await expect.poll(() => reports).toHaveLength(1)
    expect(reports[0]).toMatch(/^spring-boot-admin: failed to register at http:.*: Error: connect ECONNREFUSED .*10ms$/)
  })

  it('does not appear in reports with the segments of its path that may be secret', async () => {
    const { reports } = setUp({ url: `http://127.0.0.1:${await freePort()}/canary-7f3a9b/admin` })
    await expect.poll(() => reports).toHaveLength(1)
    expect(reports.join()).not.toContain('canary')
  })
})

describe('several servers', () => {
  const posts = ({ requests }: ScriptedServer) => requests.filter(({ method }) => method === 'POST').length

  it('get the registration of one, the first that accepts it', async () => {
    const { reports } = setUp({ url: [server.url, other.url] })
    await server.arrived(3)
    expect(posts(other)).toBe(0)
    server.respondWith({ status: 503 })
    await other.arrived(3)
    server.respondWith(undefined)
    await expect.poll(() => reports).toHaveLength(4)
    expect(reports.map((line) => line.replace(server.url, 'first').replace(other.url, 'second'))).toEqual([
      `spring-boot-admin: registered at first as ${instanceId}`,
      'spring-boot-admin: failed to register at first: 503; retrying each 10ms',
      `spring-boot-admin: registered at second as ${instanceId}`,
      `spring-boot-admin: registered at first as ${instanceId}`,
    ])
  })

  it('get it all with registerOnce: false, where one that hangs does not delay another', async () => {
    server.respondWith('hold')
    setUp({ url: [server.url, other.url], registerOnce: false, timeout: '1m' })
    await Promise.all([server.arrived(1), other.arrived(5)])
    server.release()
  })

  it('are all left at the end', async () => {
    const { registration } = setUp({ url: [server.url, other.url], registerOnce: false })
    await Promise.all([server.arrived(1), other.arrived(1)])
    await registration.close()
    for (const { requests } of [server, other]) {
      expect(requests.at(-1)).toMatchObject({ method: 'DELETE', path: `/instances/${instanceId}` })
    }
  })
})

describe('an identifier of Cloud Foundry', () => {
  it('is accepted', async () => {
    const id = '3a1e5c5a-0b3c-4a6e-9d2f-5b7c8d9e0f1a:0'
    server.respondWith({ status: 201, headers: json, body: JSON.stringify({ id }) })
    const { registration } = setUp()
    await server.arrived(2)
    await registration.close()
    expect(server.requests.at(-1)?.path).toBe(`/instances/${encodeURIComponent(id)}`)
  })
})

describe('a deregistration', () => {
  const lastOf = ({ requests }: ScriptedServer) => `${requests.at(-1)?.method} ${requests.at(-1)?.path}`
  const deleted = `DELETE /instances/${instanceId}`

  it.each<readonly [string, (set: ReturnType<typeof setUp>) => unknown]>([
    ['close()', ({ registration }) => registration.close()],
    ['run(), as a hook of the shutdown', ({ registration }) => registration.run()],
    ['the beginning of the drain', ({ management }) => management.endStreams()],
    ['close() of the management', ({ management }) => management.close()],
  ])('follows %s, and is the last request', async (_, end) => {
    const set = setUp()
    await server.arrived(1)
    await end(set)
    await server.arrived(1, 'DELETE')
    await set.registration.close()
    expect(lastOf(server)).toBe(deleted)
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    expect(set.reports.at(-1)).toBe(`spring-boot-admin: deregistered at ${server.url}`)
  })

  it('does not follow a refusal of traffic, which may end', async () => {
    const { management } = setUp()
    await server.arrived(1)
    management.availability.refuseTraffic()
    await server.arrived(4)
    expect(server.requests.some(({ method }) => method === 'DELETE')).toBe(false)
  })

  it('waits for a registration that is being sent', async () => {
    server.respondWith('hold')
    const { registration } = setUp({ timeout: '5s' })
    await server.arrived(1)
    const closed = registration.close()
    server.respondWith(undefined)
    server.release()
    await closed
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  })

  it('is not sent without a registration', async () => {
    server.respondWith({ status: 503 })
    const { registration } = setUp()
    await server.arrived(1)
    await registration.close()
    expect(server.requests.every(({ method }) => method === 'POST')).toBe(true)
  })

  it.each<readonly [string, Reply, string | undefined]>([
    ['404, because somebody else has removed it', { status: 404 }, undefined],
    ['403', { status: 403 }, '403; the option "headers" needs an Authorization that it accepts'],
    ['no response', 'hang', 'TimeoutError: no response within 200 ms'],
  ])('ends with %s', async (_, reply, reason) => {
    const { registration, reports } = setUp({ period: '1h' })
    await expect.poll(() => reports).toHaveLength(1)
    server.respondWith(reply)
    await registration.close()
    const failed = `spring-boot-admin: failed to deregister at ${server.url}: ${reason}`
    expect(reports[1]).toBe(reason === undefined ? `spring-boot-admin: deregistered at ${server.url}` : failed)
  })

  it('is the end: there is no registration after it, and none of a closed management', async () => {
    const { management, registration } = setUp()
    await server.arrived(1)
    await registration.close()
    const before = server.requests.length
    await registerAtSpringBootAdmin(management, { url: other.url, ...quick }).close()
    expect(server.requests.length).toBe(before)
  })

  it('closes its connections', async () => {
    const { registration } = setUp()
    await server.arrived(3)
    await registration.close()
    await expect.poll(() => server.connections()).toBe(0)
  })
})

describe('the options', () => {
  const application = { name: 'orders' }
  const url = 'http://admin:8080'

  it.each<readonly [object, string]>([
    [{}, 'url: expected a URL such as "http://admin:8080" without user, password, query and fragment, or an array'],
    [{ url: 'admin:8080', managementUrl }, 'url: expected a URL'],
    [{ url: 'http://user:canary-7f3a@admin', managementUrl }, 'url: expected a URL'],
    [{ url: [], managementUrl }, 'url: expected a URL'],
    [{ url: [url, 'ftp://admin'], managementUrl }, 'url[1]: expected a URL'],
    [{ url, managementUrl: '/management' }, 'managementUrl: expected a URL'],
    [{ url, managementUrl, period: '10' }, 'period: expected a duration such as "5s" of more than 0, received "10"'],
    [{ url, managementUrl, timeout: '0s' }, 'timeout: expected a duration such as "5s" of more than 0, received "0s"'],
    [{ url, managementUrl, tags: { zone: 5 } }, 'tags.zone: expected a string, received 5'],
    [{ url, managementUrl, metadata: { 'user.password': 5 } }, 'metadata.user.password: expected a string, received a'],
    [{ url, managementUrl, credential: 'canary-7f3a' }, 'credential: expected the result of createAdminCredential, re'],
    [{ url, managementUrl, headers: { 'a b': 'c' } }, 'headers: expected names of header fields'],
    [{ url, managementUrl, headers: { a: 'canary\n' } }, 'headers.a: expected the value of a header field, received a'],
    ...['Trailer', 'transfer-encoding', 'Content-Length', 'Connection', 'Upgrade', 'Expect'].map(
      (name) =>
        [{ url, managementUrl, headers: { [name]: 'X' } }, 'headers: expected header fields other than those'] as const,
    ),
    [{ url, managementUrl, peroid: '5s' }, 'unknown option "peroid"; did you mean "period"?'],
  ])('%j are refused', (options, message) => {
    const register = () => registerAtSpringBootAdmin({ application }, options as RegistrationOptions)
    expect(register).toThrow(`registerAtSpringBootAdmin: ${message}`)
    expect(register).not.toThrow(/canary/)
  })

  it('need a name where the management has none', () => {
    const register = () => registerAtSpringBootAdmin({}, { url, managementUrl })
    expect(register).toThrow(/^registerAtSpringBootAdmin: name: expected a string/)
  })
})
