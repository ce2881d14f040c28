import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { manage } from 'upkeep/node'
import { type AdminCredentialOptions, createAdminCredential } from 'upkeep/spring-boot-admin'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../support/listen.ts'

let server: Listening | undefined
afterEach(async () => {
  await server?.close()
})

/** Starts a service, and returns a function that requests a path with these user and password. */
async function setUp(options: AdminCredentialOptions = {}, more: ManagementOptions = {}) {
  const { loggers } = createLogger({ application: { name: 'orders' }, write: () => {} })
  const credential = createAdminCredential(options)
  const management = createManagement({
    expose: ['health', 'info', 'loggers'],
    access: { info: 'authorized', loggers: 'authorized' },
    loggers,
    authorize: credential.authorize,
    metrics: { runtime: false },
    ...more,
  })
  const managed = manage(management)
  server = await listen((request, response) => managed(request, response, () => response.end()))
  const base = `http://127.0.0.1:${server.port}/management`
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const own = basic(credential.username, credential.password)
  const send = async (method: string, path: string, authorization: string = own, more: Record<string, string> = {}) => {
    const { status, headers } = await fetch(`${base}/${path}`, {
      method,
      headers: { authorization, ...more, ...(method === 'POST' && { 'content-type': 'application/json' }) },
      ...(method === 'POST' && { body: '{"configuredLevel":"DEBUG"}' }),
    })
    return { status, challenge: headers.get('www-authenticate') }
  }
  return { ...{ credential, send, basic }, level: () => loggers.level('ROOT')?.configuredLevel }
}

describe('the credential', () => {
  it('reads what requires authorization', async () => {
    const { send } = await setUp()
    for (const path of ['info', 'loggers', 'loggers/ROOT'])
      expect(await send('GET', path), path).toMatchObject({ status: 200 })
    expect(await send('HEAD', 'info')).toMatchObject({ status: 200 })
  })

  it('changes nothing by default', async () => {
    const { send, level } = await setUp()
    expect(await send('POST', 'loggers/ROOT')).toMatchObject({ status: 403, challenge: null })
    expect(level()).toBe('INFO')
  })

  it('changes something if the application says so', async () => {
    const { send, level } = await setUp({ permission: 'read-write' })
    expect(await send('POST', 'loggers/ROOT')).toMatchObject({ status: 204 })
    expect(level()).toBe('DEBUG')
  })

  it.each<readonly [string, AdminCredentialOptions, number]>([
    ['is accepted with the generated password, which no browser has', {}, 204],
    ['is refused with a password that was chosen, and a browser may have', { password: 'chosen' }, 403],
  ])('a change with the Origin of a page of the server %s', async (_, options, status) => {
    const { send } = await setUp({ permission: 'read-write', ...options })
    const origin = { origin: 'http://admin:8080' }
    expect(await send('POST', 'loggers/ROOT', undefined, origin)).toMatchObject({ status })
    expect(await send('GET', 'loggers/ROOT', undefined, origin)).toMatchObject({ status: 200 })
  })

  it('does not help a page of another origin that has another credential', async () => {
    const { send } = await setUp({ permission: 'read-write', otherwise: bearerToken('secret') })
    const origin = { origin: 'http://admin:8080', 'sec-fetch-site': 'cross-site' }
    expect(await send('POST', 'loggers/ROOT', 'Bearer secret', origin)).toMatchObject({ status: 403 })
  })

  it('is subject to the roles that an endpoint requires', async () => {
    const access = { info: { roles: ['viewer'] }, loggers: { roles: ['operator'] } }
    const { send } = await setUp({ roles: ['viewer'], permission: 'read-write' }, { access })
    expect(await send('GET', 'info')).toMatchObject({ status: 200 })
    expect(await send('GET', 'loggers')).toMatchObject({ status: 403 })
  })

  it('is another one for each process, and has 128 random bits', () => {
    const passwords = Array.from({ length: 100 }, () => createAdminCredential().password)
    expect(new Set(passwords).size).toBe(100)
    for (const password of passwords) expect(password).toMatch(/^[\w-]{22}$/)
    expect(createAdminCredential().username).toBe('spring-boot-admin')
  })

  it.each<readonly [string, (basic: (user: string, password: string) => string, password: string) => string]>([
    ['another password', (basic) => basic('spring-boot-admin', 'guess')],
    ['another user', (basic, password) => basic('admin', password)],
    ['another scheme', (_, password) => `Bearer ${password}`],
    ['nothing', () => ''],
  ])('is not %s', async (_, authorization) => {
    const { credential, send, basic } = await setUp()
    const found = await send('GET', 'info', authorization(basic, credential.password))
    expect(found).toEqual({ status: 401, challenge: 'Basic realm="management", charset="UTF-8"' })
  })

  it('leaves other requests to another authorization, with its challenge', async () => {
    const { send, level } = await setUp({ otherwise: bearerToken('secret') })
    expect(await send('GET', 'info')).toMatchObject({ status: 200 })
    expect(await send('POST', 'loggers/ROOT', 'Bearer secret')).toMatchObject({ status: 204 })
    expect(level()).toBe('DEBUG')
    const { status, challenge } = await send('GET', 'info', 'Bearer guess')
    expect({ status, challenge }).toEqual({ status: 401, challenge: expect.stringMatching(/^Bearer /) })
  })

  it.each<readonly [object, string]>([
    [{ permission: 'write' }, 'createAdminCredential: permission: expected "read" or "read-write", received "write"'],
    [{ username: 'a:b' }, 'username: expected a name without colons'],
    [{ password: '' }, 'password: expected a non-empty string'],
  ])('is refused with %j', (options, message) => {
    expect(() => createAdminCredential(options as AdminCredentialOptions)).toThrow(message)
  })
})
