import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { createCaches, createScheduledTasks } from 'upkeep/instrumentation'
import { createAdminCredential } from 'upkeep/spring-boot-admin'
import { describe, expect, it } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'

/** The built-in endpoints that anyone may be permitted to read, as the documentation lists them. */
const open = ['health', 'info', 'metrics', 'prometheus', 'loggers']

/** All identifiers, as an error lists them. */
function identifiers(): readonly string[] {
  const options: object = { expose: ['none'] }
  try {
    createManagement(options)
  } catch (error) {
    const [, ids = ''] = /expected one of (.*), received/.exec(String(error)) ?? []
    return ids.split(', ')
  }
  return []
}

const guarded = identifiers().filter((id) => !open.includes(id))

/** What the endpoints need to be exposed. */
const required: ManagementOptions = {
  metrics: { runtime: false },
  logFile: 'app.log',
  sbom: { application: 'sbom.cdx.json' },
  caches: createCaches(),
  scheduledTasks: createScheduledTasks(),
  recorder: {},
}

/** Paths below the base path: an endpoint that is not guarded at its identifier, or not there, has others. */
const pathOf = (id: string) => `/management/${{ pprof: 'pprof/heap', console: 'console/overview' }[id] ?? id}`

it('docs/reference/http.md lists the identifiers in their order, with who may call them by default', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/reference/http.md'), 'utf8')
  const [, table = ''] = page.split('| id | who may call it by default | shows |')
  const rows = (table.split('\n\n')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.map((row) => row.slice(2).split(' | ').slice(0, 2))
  expect(listed).toEqual([
    ...open.map((id) => [`\`${id}\``, id === 'loggers' ? 'everybody; POST: authorized callers' : 'everybody']),
    ...guarded.map((id) => [`\`${id}\``, 'authorized callers']),
  ])
})

it('there are endpoints for authorized callers only', () => {
  expect(guarded.length).toBeGreaterThan(10)
})

describe.each(guarded)('%s', (id) => {
  it('cannot be exposed without authorize', () => {
    expect(() => createManagement({ ...required, expose: [id] })).toThrow(
      new TypeError(
        `createManagement: the endpoint "${id}" requires the option "authorize", ` +
          'such as bearerToken(process.env.MANAGEMENT_TOKEN)',
      ),
    )
  })

  it('requires credentials where the access of all endpoints is public', async () => {
    const authorize = bearerToken('secret')
    const { send, management } = createManagementClient({
      ...{ ...required, expose: [id], access: { '*': 'public' }, authorize },
    })
    const statuses = new Set<number>()
    for (const method of ['GET', 'HEAD', 'POST']) statuses.add((await send(pathOf(id), { method })).status)
    statuses.delete(405)
    expect([...statuses]).toEqual([401])
    management.close()
  })

  it('does not exist where its access is none', async () => {
    const authorize = bearerToken('secret')
    const { send, management } = createManagementClient({
      ...{ ...required, expose: [id], access: { [id]: 'none' }, authorize },
    })
    const headers = { authorization: 'Bearer secret' }
    for (const method of ['GET', 'POST']) expect((await send(pathOf(id), { method, headers })).status).toBe(404)
    management.close()
  })

  it.each([
    ['', 'public'],
    ['.read', { read: 'public', write: 'none' }],
    ['.write', { read: { roles: ['ops'] }, write: 'public' }],
  ] as const)('cannot be declared public (access.<id>%s)', (side, rule) => {
    for (const expose of [[id], ['health']]) {
      const options = { ...required, expose, access: { [id]: rule }, authorize: bearerToken('secret') }
      expect(() => createManagement(options)).toThrow(
        new TypeError(
          `createManagement: access.${id}${side}: expected "authorized", { roles: ['ops'] } or "none", because the ` +
            `endpoint "${id}" always requires an authorized caller, received "public"`,
        ),
      )
    }
  })

  it('refuses requests that a page of another origin causes, with credentials, too', async () => {
    const { send, management } = createManagementClient({
      ...{ ...required, expose: [id], authorize: bearerToken('secret') },
    })
    const authorization = 'Bearer secret'
    for (const headers of [
      { authorization, 'sec-fetch-site': 'cross-site' },
      { authorization, host: 'orders.example', origin: 'https://evil.example' },
    ]) {
      const statuses = new Set<number>()
      for (const method of ['GET', 'POST']) statuses.add((await send(pathOf(id), { method, headers })).status)
      statuses.delete(405)
      expect([...statuses]).toEqual([403])
    }
    management.close()
  })

  it('responds to a server that forwards the origin of its pages with a credential that no browser has', async () => {
    const { authorize, username, password } = createAdminCredential()
    const { send, management } = createManagementClient({ ...required, expose: [id], authorize })
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const headers = { authorization, host: 'orders.example', origin: 'http://admin:8080' }
    const { status } = await send(pathOf(id), { method: 'OPTIONS', headers })
    expect(status).toBe(204)
    const read = await send(pathOf(id), { method: 'HEAD', headers })
    expect(read.status).not.toBe(403)
    management.close()
  })
})
