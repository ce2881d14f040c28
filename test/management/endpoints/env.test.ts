import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { basicAuth, bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import type { EnvOptions } from 'upkeep/instrumentation'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'

const path = '/management/env'
const canary = 'canary-7f3a91'
const token = { authorization: 'Bearer let-me-in' }

interface Environment {
  readonly activeProfiles: readonly string[]
  readonly defaultProfiles: readonly string[]
  readonly propertySources: readonly {
    readonly name: string
    readonly properties: Readonly<Record<string, { readonly value: unknown; readonly origin?: string }>>
  }[]
}

function serve(env?: EnvOptions, options: ManagementOptions = {}) {
  const { send } = createManagementClient({
    expose: ['env'],
    env,
    authorize: bearerToken('let-me-in'),
    ...options,
  })
  const get = (target = path, headers: Readonly<Record<string, string>> = token) => send(target, { headers })
  const source = async (name: string, target?: string) => {
    const { propertySources } = (await get(target)).json as Environment
    return propertySources.find((each) => each.name === name)?.properties
  }
  const property = async (name: string) => (await get(`${path}/${name}`)).json as Record<string, unknown>
  return { get, source, property, send }
}

const { argv, execArgv } = process
let folder: string
let workingDirectory: string

beforeEach(() => {
  workingDirectory = process.cwd()
  folder = mkdtempSync(join(tmpdir(), 'upkeep-env-'))
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  vi.stubEnv('NODE_ENV', 'production')
  vi.stubEnv('ORDERS_REGION', 'eu')
  vi.stubEnv('DATABASE_URL', `postgres://orders:${canary}@db.example/orders`)
  vi.stubEnv('DB_PASSWORD', canary)
  process.argv = ['node', 'orders.js', '--server.port=8080', '--api-token', canary, '-p', canary, '--verbose']
  process.execArgv = ['--max-old-space-size=512', '--enable-source-maps']
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.argv = argv
  process.execArgv = execArgv
  rmSync(folder, { recursive: true })
  expect(process.cwd()).toBe(workingDirectory)
})

describe('GET env', () => {
  it("has the sources and profiles in Spring Boot Actuator's form, with every value masked", async () => {
    const { json, headers, status } = await serve().get()
    expect([status, headers['Cache-Control']]).toEqual([200, 'no-store'])
    const { activeProfiles, defaultProfiles, propertySources } = json as Environment
    expect({ activeProfiles, defaultProfiles }).toEqual({
      activeProfiles: ['production'],
      defaultProfiles: ['default'],
    })
    expect(propertySources.map(({ name }) => name).slice(0, 4)).toEqual([
      'commandLineArgs',
      'nodeOptions',
      'systemProperties',
      'systemEnvironment',
    ])
    const values = propertySources.flatMap(({ properties }) => Object.entries(properties))
    const shown = values.filter(([, { value }]) => value !== '******').map(([name]) => name)
    expect(shown).toEqual(['PID'])
    expect(propertySources[3]?.properties['ORDERS_REGION']).toEqual({
      value: '******',
      origin: 'System Environment Property "ORDERS_REGION"',
    })
  })

  it('reads arguments by name, and all others as one value', async () => {
    const { source } = serve({ showValues: 'always', show: ['nonOptionArgs'] })
    process.argv = ['node', 'a.js', 'import', '--port=1', '--port=2', '--dry-run', '--to', 'x', '-f', '--', '--y']
    expect(await source('commandLineArgs')).toEqual({
      nonOptionArgs: { value: 'import,-f,--y' },
      port: { value: '1,2' },
      'dry-run': { value: '' },
      to: { value: 'x' },
    })
    expect(await source('nodeOptions')).toEqual({
      'max-old-space-size': { value: '512' },
      'enable-source-maps': { value: '' },
    })
  })

  it('reads what follows the name of a secret as its value', async () => {
    const { get, source } = serve({ showValues: 'always', show: ['nonOptionArgs'] })
    process.argv = [
      'node',
      'a.js',
      '--api-key',
      `--${canary}`,
      'b',
      '--signing-key',
      `-${canary}`,
      '--dry-run',
      '--to=x',
    ]
    expect(await source('commandLineArgs')).toEqual({
      'api-key': { value: '******' },
      nonOptionArgs: { value: 'b' },
      'signing-key': { value: '******' },
      'dry-run': { value: '' },
      to: { value: 'x' },
    })
    expect(String((await get()).body)).not.toContain(canary)
  })

  it('never has an argument without a name as a name', async () => {
    const { get } = serve({ showValues: 'always' })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(canary, `-${canary}`, `-p${canary}`, `${canary}=1`)), async (args) => {
        process.argv = ['node', 'a.js', ...args]
        expect(String((await get()).body)).not.toContain(canary)
      }),
      { numRuns: 20 },
    )
  })

  it('has sources of the application behind the environment, with the full names of nested values', async () => {
    const properties = { server: { port: 8080, hosts: ['a', { name: 'b' }] }, empty: null, unset: undefined, on: true }
    const { get, source } = serve({ sources: [{ name: 'config.yaml', properties }], showValues: 'always' })
    const names = ((await get()).json as Environment).propertySources.map(({ name }) => name)
    expect(names.indexOf('config.yaml')).toBeGreaterThan(names.indexOf('systemEnvironment'))
    expect(await source('config.yaml')).toEqual({
      'server.port': { value: 8080 },
      'server.hosts[0]': { value: 'a' },
      'server.hosts[1].name': { value: 'b' },
      empty: { value: null },
      on: { value: true },
    })
  })

  it('has config of package.json as the last source, if there is one', async () => {
    expect(await serve().source('package.json')).toBeUndefined()
    writeFileSync(join(folder, 'package.json'), '{ "config": { "port": 1, "tls": { "on": true } }, "name": "orders" }')
    const { get, source } = serve({ showValues: 'always' })
    expect(await source('package.json')).toEqual({
      port: { value: 1, origin: 'package.json - config.port' },
      'tls.on': { value: true, origin: 'package.json - config.tls.on' },
    })
    expect(((await get()).json as Environment).propertySources.at(-1)?.name).toBe('package.json')
  })

  it.each(['{ "config": 5 }', '{ "config": [] }', 'no JSON'])('has no config of package.json with %s', async (text) => {
    writeFileSync(join(folder, 'package.json'), text)
    expect(await serve().source('package.json')).toBeUndefined()
  })

  it('has values that JSON has no form for as text', async () => {
    const properties = { rate: Number.NaN, most: Infinity, big: 7n, since: new Date(0), never: new Date(Number.NaN) }
    const { source } = serve({ sources: [{ name: 'live', properties }], showValues: 'always' })
    expect(await source('live')).toEqual({
      rate: { value: 'NaN' },
      most: { value: 'Infinity' },
      big: { value: '7' },
      since: { value: '1970-01-01T00:00:00.000Z' },
      never: { value: 'Invalid Date' },
    })
  })

  it('reads a source at each request', async () => {
    let port = 1
    const { source } = serve({ sources: [{ name: 'live', properties: () => ({ port }) }], show: ['port'] })
    expect(await source('live')).toEqual({ port: { value: 1 } })
    port = 2
    expect(await source('live')).toEqual({ port: { value: 2 } })
  })

  it.each<[string, () => Readonly<Record<string, unknown>>]>([
    [
      'throws',
      () => {
        throw new Error('no config')
      },
    ],
    ['returns something else', () => 5 as unknown as Readonly<Record<string, unknown>>],
    [
      'returns an object whose getter throws',
      () => ({
        get broken() {
          throw new Error('broken')
        },
      }),
    ],
  ])('shows a source that %s without properties, and reports it once', async (_, properties) => {
    const report = vi.fn()
    const { source } = serve({ sources: [{ name: 'broken', properties }] }, { report })
    expect(await source('broken')).toEqual({})
    expect(await source('broken')).toEqual({})
    expect(report).toHaveBeenCalledExactlyOnceWith("failed to read the property source 'broken'", expect.any(Error))
  })

  it('limits an object that contains itself', async () => {
    const circular: Record<string, unknown> = { name: 'x' }
    for (const key of 'abcdefghij') circular[key] = circular
    const { source } = serve({ sources: [{ name: 'circular', properties: circular }] })
    expect(Object.keys((await source('circular')) ?? {}).length).toBeLessThan(10_000)
  })

  it.each([
    ['ORDERS_*', ['ORDERS_REGION']],
    ['*_REGION', ['ORDERS_REGION']],
    ['ORDERS_REGION', ['ORDERS_REGION']],
    ['O*RS_*ION', ['ORDERS_REGION']],
    ['O*RS_*RS_*ION', []],
    ['orders_*', []],
  ])('is restricted to names by ?pattern=%s', async (pattern, names) => {
    const properties = await serve().source('systemEnvironment', `${path}?pattern=${encodeURIComponent(pattern)}`)
    expect(Object.keys(properties ?? {})).toEqual(names)
  })

  it.each(['(a+)+$', 'a'.repeat(201), ''])('responds with 400 to ?pattern=%s', async (pattern) => {
    const { status, json } = await serve().get(`${path}?pattern=${encodeURIComponent(pattern)}`)
    expect(status).toBe(400)
    expect(json).toMatchObject({ detail: expect.stringMatching(/^The query parameter pattern must consist of/) })
  })

  it.each([
    ['production', ['production']],
    ['', []],
    [`a b ${canary}`, []],
  ])('has NODE_ENV=%s as the active profile if it is a name', async (value, profiles) => {
    vi.stubEnv('NODE_ENV', value)
    expect(((await serve().get()).json as Environment).activeProfiles).toEqual(profiles)
  })
})

describe('GET env/{name}', () => {
  it('has the value that takes precedence, and the property in every source that has it', async () => {
    vi.stubEnv('server.port', '9090')
    const { property } = serve({ show: ['server.port'] })
    const { property: value, propertySources } = await property('server.port')
    expect(value).toEqual({ source: 'commandLineArgs', value: '8080' })
    expect(propertySources).toEqual([
      { name: 'commandLineArgs', property: { value: '8080' } },
      { name: 'nodeOptions' },
      { name: 'systemProperties' },
      {
        name: 'systemEnvironment',
        property: { value: '9090', origin: 'System Environment Property "server.port"' },
      },
      ...(propertySources as unknown[]).slice(4),
    ])
  })

  it('shows the process id, by which Spring Boot Admin finds the process', async () => {
    expect(await serve().property('PID')).toMatchObject({
      property: { source: 'systemProperties', value: String(process.pid) },
    })
  })

  it.each(['NONE', '__proto__', 'constructor', 'toString'])('responds with 404 for %s', async (name) => {
    expect(await serve().get(`${path}/${name}`)).toMatchObject({ status: 404, json: { detail: 'Property not found.' } })
  })
})

describe('the values of env', () => {
  const shownValue = async (name: string, env: EnvOptions) => {
    const { property } = await serve(env).property(name)
    return (property as { readonly value: unknown }).value
  }

  it.each<[string, unknown, EnvOptions]>([
    ['ORDERS_REGION', '******', {}],
    ['ORDERS_REGION', 'eu', { showValues: 'always' }],
    ['ORDERS_REGION', 'eu', { showValues: 'when-authorized' }],
    ['ORDERS_REGION', '******', { showValues: 'when-authorized', roles: ['ops'] }],
    ['ORDERS_REGION', 'eu', { show: ['ORDERS_*'] }],
    ['ORDERS_REGION', '******', { show: ['ORDERS_REGION'], mask: ['ORDERS_*'] }],
    ['PID', '******', { mask: ['PID'] }],
    ['DB_PASSWORD', '******', { showValues: 'always' }],
    ['DB_PASSWORD', '******', { show: ['*'] }],
    ['DB_PASSWORD', canary, { show: ['DB_PASSWORD'] }],
    ['api-token', '******', { showValues: 'always' }],
    ['nonOptionArgs', '******', { showValues: 'always' }],
    ['DATABASE_URL', 'postgres://***@db.example/orders', { showValues: 'always' }],
    ['DATABASE_URL', 'postgres://***@db.example/orders', { show: ['DATABASE_URL'] }],
  ])('%s is %s with %j', async (name, expected, env) => {
    expect(await shownValue(name, env)).toBe(expected)
  })

  it('are shown to callers with one of the roles', async () => {
    const users = [
      { username: 'ops', password: 'a', roles: ['ops'] },
      { username: 'dev', password: 'b', roles: ['dev'] },
    ]
    const env = { showValues: 'when-authorized', roles: ['ops'] } as const
    const { get } = serve(env, { authorize: basicAuth(users) })
    const as = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString('base64')}` })
    expect((await get(`${path}/ORDERS_REGION`, as('ops:a'))).json).toMatchObject({ property: { value: 'eu' } })
    expect((await get(`${path}/ORDERS_REGION`, as('dev:b'))).json).toMatchObject({ property: { value: '******' } })
  })

  it.each<EnvOptions>([
    {},
    { showValues: 'always' },
    { show: ['*'] },
    { show: ['*', 'DATABASE_URL'], showValues: 'always' },
  ])('contain no secret with %j', async (env) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ config: { secret: canary, port: 1 } }))
    const sources = [
      { name: 'config', properties: { database: { password: canary, url: `redis://:${canary}@cache` }, key: canary } },
      { name: 'keys', properties: { signingKey: [canary], encryptionKey: { current: canary }, keys: [canary] } },
      { name: 'auth', properties: { auth: { basic: canary }, deploy: `ghp_${'aB3'.repeat(12)}` } },
    ]
    const variables = 'APP_KEYS SIGNING_KEYS SIGNING_KEY_1 ENCRYPTION_KEY_BASE64 REDIS_AUTH_0 GITHUB_PAT DB_PW'
    for (const name of variables.split(' ')) vi.stubEnv(name, canary)
    const { get } = serve({ ...env, sources })
    expect(String((await get()).body)).not.toMatch(new RegExp(`${canary}|ghp_`))
    for (const name of ['DB_PASSWORD', 'DATABASE_URL', 'database.url', 'nonOptionArgs', 'api-token', 'key']) {
      expect(String((await get(`${path}/${name}`)).body)).not.toContain(canary)
    }
  })
})

describe('access to env', () => {
  it('requires a known caller, whatever the option access declares', async () => {
    const { send } = serve({}, { access: { '*': 'public' } })
    expect((await send(path)).status).toBe(401)
    expect((await send(`${path}/PID`)).status).toBe(401)
  })

  it('requires the option authorize', () => {
    expect(() => createManagement({ expose: ['env'] })).toThrow(
      new TypeError(
        'createManagement: the endpoint "env" requires the option "authorize", ' +
          'such as bearerToken(process.env.MANAGEMENT_TOKEN)',
      ),
    )
  })

  it('has no method that changes a property', async () => {
    const { send } = serve()
    const { status, headers } = await send(path, { method: 'OPTIONS', headers: token })
    expect([status, headers['Allow']]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expect((await send(path, { method: 'POST', headers: token })).status).toBe(405)
  })
})

it.each([
  [{ showValues: 'sometimes' }, 'env.showValues: expected one of never, when-authorized, always, received "sometimes"'],
  [{ show: 'NODE_ENV' }, 'env.show: expected an array of names, such as [\'npm_package_*\'], received "NODE_ENV"'],
  [{ roles: [] }, "env.roles: expected an array of roles, such as ['ops'], received an empty array"],
  [
    { sources: [{ name: 'a' }] },
    'env.sources[0].properties: expected an object of properties, or a function, received undefined',
  ],
  [{ sanitize: true }, 'unknown option "env.sanitize"; did you mean "env.mask"?'],
])('createManagement rejects %j', (env, fault) => {
  expect(() => createManagement({ env } as ManagementOptions)).toThrow(new TypeError(`createManagement: ${fault}`))
})
