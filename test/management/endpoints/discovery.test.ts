import { describe, expect, it } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const clock = { wallTime: () => now, monotonicTime: () => 0 }
const link = (href: string) => ({ href, templated: href.includes('{') })

describe('GET of the base path', () => {
  it('links to the exposed endpoints, in the format of Spring Boot Actuator', async () => {
    const { send } = createManagementClient({ expose: ['info', 'health'] })
    expect((await send('/management', { base: 'https://orders.example/ops' })).body).toBe(
      JSON.stringify({
        _links: {
          self: link('https://orders.example/ops/management'),
          health: link('https://orders.example/ops/management/health'),
          'health-path': link('https://orders.example/ops/management/health/{*path}'),
          info: link('https://orders.example/ops/management/info'),
        },
      }),
    )
  })

  it.each([
    [undefined, ['self', 'health', 'health-path']],
    [['info'], ['self', 'info']],
    [[], ['self']],
  ] as const)('with %j exposed links to %j', async (expose, names) => {
    const { json } = await createManagementClient({ expose }).send('/management')
    expect(Object.keys((json as { _links: object })._links)).toEqual(names)
  })

  it.each([
    [{ info: 'none' }, ['self', 'health', 'health-path', 'metrics', 'metrics-requiredMetricName']],
    [{ health: 'none', metrics: 'none' }, ['self', 'info']],
    [
      { info: 'authorized', metrics: { roles: ['ops'] } },
      ['self', 'health', 'health-path', 'info', 'metrics', 'metrics-requiredMetricName'],
    ],
  ] as const)('with the access %j links to what there is, whoever may read it: %j', async (access, names) => {
    const { json } = await createManagementClient({
      expose: ['health', 'info', 'metrics'],
      access,
      authorize: () => undefined,
    }).send('/management')
    expect(Object.keys((json as { _links: object })._links)).toEqual(names)
  })

  it.each([
    [{ '*': 'public' }, 200, 200],
    [{ '*': 'authorized' }, 401, 401],
    [{ '*': 'authorized', health: 'public' }, 401, 200],
    [{ '*': 'none', health: 'public' }, 404, 200],
    [{ '*': 'none' }, 404, 404],
    [{ '*': 'public', health: 'authorized' }, 200, 401],
  ] as const)('with the access %j is answered with %i, and health with %i', async (access, page, health) => {
    const { send } = createManagementClient({ access, authorize: () => undefined })
    expect([(await send('/management')).status, (await send('/management/health')).status]).toEqual([page, health])
    expect((await send('/management/health/liveness')).status).toBe(health)
  })

  it('is not stored by shared caches if it depends on the caller', async () => {
    const { send } = createManagementClient({ access: { '*': 'authorized' }, authorize: () => ({ name: 'alice' }) })
    expect((await send('/management')).headers['Cache-Control']).toBe('max-age=60, private')
  })

  it('links by paths if the origin is unknown, and below a configured base path', async () => {
    const { json } = await createManagementClient({ basePath: '/ops/admin', expose: ['info'] }).send('/ops/admin?x=1')
    expect(json).toEqual({ _links: { self: link('/ops/admin'), info: link('/ops/admin/info') } })
  })

  it('links what the option paths places at the root of the server without the path of the mount', async () => {
    const { send } = createManagementClient({ expose: ['info'], paths: { info: '/about' } })
    const { json } = await send('/management', { base: 'https://orders.example/ops' })
    expect(json).toMatchObject({ _links: { info: link('https://orders.example/about') } })
    expect((await send('/management')).json).toMatchObject({ _links: { info: link('/about') } })
  })

  it('may be kept for a minute', async () => {
    const { headers } = await createManagementClient({ clock, expose: [] }).send('/management')
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'Content-Length': '60',
      'Cache-Control': 'max-age=60',
      Date: 'Fri, 02 Jan 2026 03:04:05 GMT',
      Expires: 'Fri, 02 Jan 2026 03:05:05 GMT',
      ETag: expect.stringMatching(/^"[\w-]{22}"$/),
      Vary: 'Accept',
    })
  })
})
