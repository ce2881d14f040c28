import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { unpackPackage } from '../support/package/packed.ts'
import { type AdminClient, createAdminClient, type Instance, patiently } from './spring/admin-client.ts'
import { pages } from './spring/pages.ts'
import { type Service, startService } from './spring/start-service.ts'
import { type SpringApplication, startSpring } from './spring/start-spring.ts'

const packed = unpackPackage()
afterAll(packed.remove)

let server: SpringApplication
let admin: AdminClient
beforeAll(async () => {
  server = await startSpring('UPKEEP_SPRING_BOOT_ADMIN')
  admin = createAdminClient(server.url)
}, 600_000)
afterAll(async () => {
  await server?.stop()
})

/** Starts the service, and resolves with its instance when the server knows its endpoints. */
async function register(variables: NodeJS.ProcessEnv = {}): Promise<{ service: Service; instance: Instance }> {
  const service = await startService(packed, { ADMIN_URL: server.url, ...variables })
  const instance = await vi.waitFor(async () => {
    const found = await admin.instance()
    if (found?.statusInfo.status === 'UP' && found.endpoints.length > 1 && found.buildVersion === '1.4.2') return found
    throw new Error(`not registered: ${JSON.stringify(found)}`)
  }, patiently)
  return { service, instance }
}

describe('a registered service', () => {
  let service: Service
  let instance: Instance
  beforeAll(async () => {
    ;({ service, instance } = await register())
  }, 600_000)
  afterAll(async () => {
    await service?.kill()
  })

  it('is an instance with the identifier of its health URL, its URLs, its metadata and its tags', () => {
    const { url } = service
    const healthUrl = `${url}/actuator/health`
    expect(instance).toMatchObject({
      id: createHash('sha1').update(healthUrl).digest('hex').slice(0, 12),
      registration: {
        name: 'orders',
        managementUrl: `${url}/actuator`,
        healthUrl,
        serviceUrl: url,
        metadata: { colour: 'blue', 'user.name': 'spring-boot-admin', 'user.password': '******' },
      },
      tags: { environment: 'test' },
    })
    expect(new Date(instance.registration.metadata['startup'] ?? '').getTime()).toBeGreaterThan(Date.now() - 600_000)
  })

  it('has its endpoints found on the discovery page, by one request', async () => {
    expect(instance.endpoints.map(({ id }) => id).sort()).toEqual([
      ...['caches', 'env', 'health', 'heapdump', 'httpexchanges', 'info', 'logfile', 'loggers', 'mappings', 'metrics'],
      ...['prometheus', 'sbom', 'scheduledtasks', 'startup', 'threaddump'],
    ])
    const requests = await service.requests()
    expect(requests.filter((line) => line.startsWith('OPTIONS'))).toEqual([])
    expect(requests.filter((line) => line === 'GET /actuator')).toHaveLength(1)
  })

  it('shows its details with its credential, and not without', async () => {
    expect(instance.statusInfo.details).toMatchObject({ stock: { status: 'UP', details: { items: 3 } } })
    expect(await (await fetch(`${service.url}/actuator/health`)).json()).not.toHaveProperty('components')
    expect((await fetch(`${service.url}/actuator/metrics`)).status).toBe(401)
  })

  it('has its groups known to the server', async () => {
    const groups = () => admin.getJson<readonly string[]>(`/instances/${instance.id}/health-groups`)
    await expect.poll(groups, patiently).toEqual(['liveness', 'readiness', 'storage'])
  })

  it('is read with a slash at the end, and changed by nobody', async () => {
    expect(await admin.ask(instance.id, 'GET loggers/')).toMatchObject({ status: 200 })
    const body = '{"configuredLevel":"DEBUG"}'
    const headers = { 'content-type': 'application/json' }
    expect(await admin.ask(instance.id, 'POST loggers/orders', { body, headers })).toMatchObject({ status: 403 })
  })

  it('is the same instance after many heartbeats, with no event for them', async () => {
    const before = (await service.requests()).length
    await expect.poll(async () => (await service.requests()).length, patiently).toBeGreaterThan(before)
    type Event = { readonly instance: string; readonly type: string }
    const events = await admin.getJson<readonly Event[]>('/instances/events')
    const ours = events.filter((event) => event.instance === instance.id).map(({ type }) => type)
    expect(ours.filter((type) => type.startsWith('REGIST'))).toEqual(['REGISTERED'])
  })

  it('is registered again after the server has forgotten it, and after it was deleted by hand', async () => {
    expect((await fetch(`${server.url}/instances/${instance.id}`, { method: 'DELETE' })).status).toBe(204)
    await expect.poll(async () => (await admin.instance())?.statusInfo.status, patiently).toBe('UP')
    await server.stop()
    const lines = () => service.problems().map((line) => JSON.parse(line).message as string)
    await expect.poll(lines, patiently).toHaveLength(2)
    await server.start()
    await expect.poll(async () => (await admin.instance())?.statusInfo.status, patiently).toBe('UP')
    expect(lines()).toEqual([
      `spring-boot-admin: registered at ${server.url} as ${instance.id}`,
      expect.stringMatching(/^spring-boot-admin: failed to register at .*; retrying each 500ms$/),
      `spring-boot-admin: registered at ${server.url} as ${instance.id}`,
    ])
  }, 600_000)

  it('is no instance anymore when it has shut down', async () => {
    expect(await service.stop()).toBe(0)
    expect(await admin.instances()).toEqual([])
  })
})

/** A service, and its instance. */
interface Shown {
  readonly instance: Instance
  readonly problems: () => readonly string[]
  readonly stop: () => Promise<unknown>
}

async function showUpkeep(): Promise<Shown> {
  const { service, instance } = await register({ ADMIN_PERMISSION: 'read-write' })
  await (await fetch(`${service.url}/orders/1`)).text()
  return { instance, problems: service.problems, stop: service.stop }
}

/** The pages are made for it: what it does not have, the table is wrong about. */
async function showSpring(): Promise<Shown> {
  const spring = await startSpring('UPKEEP_SPRING_BOOT')
  const managementUrl = `${spring.url}/actuator`
  const response = await fetch(`${server.url}/instances`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'spring', managementUrl, healthUrl: `${managementUrl}/health` }),
  })
  const { id } = (await response.json()) as { readonly id: string }
  const instance = await vi.waitFor(async () => {
    const found = await admin.getJson<Instance>(`/instances/${id}`)
    if (found.statusInfo.status === 'UP' && found.endpoints.length > 1) return found
    throw new Error(`not registered: ${JSON.stringify(found)}`)
  }, patiently)
  const stop = async () => {
    await fetch(`${server.url}/instances/${id}`, { method: 'DELETE' })
    await spring.stop()
  }
  return { instance, problems: () => spring.problems().filter((line) => line.includes(' ERROR ')), stop }
}

describe.each([
  ['upkeep', showUpkeep],
  ['a Spring Boot service', showSpring],
] as const)('the pages of %s', (_name, show) => {
  let shown: Shown
  beforeAll(async () => {
    shown = await show()
  }, 600_000)
  afterAll(async () => {
    await shown?.stop()
  })

  it.each(pages)('%s: %s has what it reads', async (_, line, need) => {
    const { reads, status = 200, type = /json/, allow, ...init } = need
    const { id } = shown.instance
    const found = async () => {
      const response = await admin.ask(id, line, init)
      const content = /json/.test(response.type) ? JSON.parse(response.text) : undefined
      return { ...response, allow: response.headers.get('allow'), content }
    }
    const expected = {
      status,
      type: expect.stringMatching(type),
      ...(allow && { allow: expect.stringMatching(allow) }),
      ...(reads !== undefined && { content: reads }),
    }
    // The pages request again every few seconds; a rate, for example, needs two readings.
    if (line.startsWith('GET')) await expect.poll(found, { timeout: 180_000, interval: 500 }).toMatchObject(expected)
    else expect(await found()).toMatchObject(expected)
  })

  it('cause no error in the log of the service', () => {
    const isExpected = (line: string) => /"(?:spring-boot-admin: registered|audit: )/.test(line)
    expect(shown.problems().filter((line) => !isExpected(line))).toEqual([])
  })
})
