import { createManagement, type Endpoint, type ManagementOptions } from 'upkeep'
import { createResources } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { createManagementClient } from '../support/management-client.ts'

const queues: Endpoint = {
  id: 'queues',
  routes: [
    { path: 'queues/{name}', resource: { get: ({ variables }) => text(variables), delete: () => undefined } },
    { path: 'queues/{name}/messages/{*rest}', resource: { get: ({ variables }) => text(variables) } },
  ],
  describe: () => ({ 'queues/{name}': { GET: { summary: 'The size of a queue.' } } }),
}

function text(value: unknown) {
  return {
    offers: [{ mediaType: 'application/json', render: () => JSON.stringify(value) }],
    caching: 'no-store',
  } as const
}

const operator = { authorization: 'Bearer let-me-in' }
const authorize: ManagementOptions['authorize'] = ({ headers }) =>
  headers['authorization'] === operator.authorization ? { name: 'operator' } : undefined

const errorOf = (options: ManagementOptions): string => {
  try {
    createManagement(options).close()
    return 'none'
  } catch (error) {
    return String(error)
  }
}

describe('a path of the option paths', () => {
  it('has the variables of the path that it stands for', async () => {
    const { send } = createManagementClient({
      endpoints: [queues],
      expose: ['queues'],
      access: { queues: 'public' },
      paths: { 'queues/mail': '/mail', 'queues/mail/messages/7/body': 'body', 'queues/a b': '/a' },
    })
    expect((await send('/mail')).json).toEqual(['mail'])
    expect((await send('/management/body')).json).toEqual(['mail', '7', 'body'])
    expect((await send('/a')).json).toEqual(['a b'])
    expect((await send('/management/queues/print')).json).toEqual(['print'])
  })

  it('of an endpoint is that of everything below it', async () => {
    const { send } = createManagementClient({
      endpoints: [queues],
      expose: ['queues'],
      access: { queues: 'public' },
      paths: { queues: '/q/all', 'queues/mail': 'mail' },
    })
    expect((await send('/q/all/print')).json).toEqual(['print'])
    expect((await send('/q/all/print/messages/1')).json).toEqual(['print', '1'])
    expect((await send('/q/all/%C3%A9')).json).toEqual(['é'])
    expect((await send('/management/mail')).json).toEqual(['mail'])
    expect((await send('/management/queues/print')).status).toBe(404)
    for (const target of ['/q', '/q/all', '/q/all/', '/q/al/print', '/%71/all/print', '/q/all/a/b']) {
      await expect(send(target)).rejects.toThrow('passed on')
    }
  })

  it('may be that of another endpoint which is moved itself', async () => {
    const { send } = createManagementClient({
      expose: ['metrics', 'prometheus'],
      paths: { metrics: 'meters', prometheus: 'metrics' },
    })
    expect((await send('/management/meters')).json).toHaveProperty('names')
    expect((await send('/management/meters/process.uptime')).status).toBe(200)
    await expect(send('/management/metrics')).rejects.toThrow(SyntaxError)
    expect((await send('/management/metrics/process.uptime')).status).toBe(404)
  })

  it('has the access of its endpoint', async () => {
    const audited: string[] = []
    const { send } = createManagementClient({
      endpoints: [queues],
      expose: ['queues'],
      authorize,
      audit: ({ method, path }) => audited.push(`${method} ${path}`),
      paths: { queues: '/q', 'queues/mail': '/mail' },
    })
    expect([(await send('/mail')).status, (await send('/q/mail')).status]).toEqual([401, 401])
    expect((await send('/mail', { headers: operator })).json).toEqual(['mail'])
    expect((await send('/mail', { headers: operator, method: 'DELETE' })).status).toBe(204)
    expect((await send('/q/print', { headers: operator, method: 'DELETE' })).status).toBe(204)
    // An audit event names what was done, wherever it was requested.
    expect(audited).toEqual(['DELETE queues/mail', 'DELETE queues/print'])
  })

  it('refuses changes of pages of other origins', async () => {
    const { send } = createManagementClient({
      endpoints: [queues],
      expose: ['queues'],
      access: { queues: 'public' },
      paths: { 'queues/mail': '/mail' },
    })
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await send('/mail', { method: 'DELETE', headers })).status).toBe(403)
  })

  it('is ignored if the endpoint has no operations', async () => {
    const { send } = createManagementClient({ access: { health: 'none' }, paths: { 'health/liveness': '/livez' } })
    await expect(send('/livez')).rejects.toThrow('passed on')
  })

  it('begins at the root of the server, even if the base path is there', async () => {
    const { send } = createManagementClient({
      basePath: '/',
      expose: ['health', 'info', 'prometheus'],
      paths: { info: 'about', 'health/liveness': '/livez', prometheus: '/management/metrics' },
    })
    for (const target of ['/about', '/livez', '/health/liveness']) expect((await send(target)).status).toBe(200)
    await expect(send('/management/metrics')).rejects.toThrow(SyntaxError)
    await expect(send('/management')).rejects.toThrow('passed on')
  })

  it('may begin with the base path', async () => {
    const { send } = createManagementClient({ expose: ['info'], paths: { info: '/management/about' } })
    expect((await send('/management/about')).status).toBe(200)
    expect((await send('/management/info')).status).toBe(404)
    expect((await send('/management')).json).toMatchObject({ _links: { info: { href: '/management/about' } } })
  })

  it('may be below health, where no component and no group is', async () => {
    const paths = { health: '/healthz', 'health/liveness': '/healthz/live', 'health/readiness': '/healthz/ready' }
    const { send } = createManagementClient({ paths, health: { showComponents: 'always' } })
    for (const target of ['/healthz', '/healthz/live', '/healthz/ready', '/healthz/liveness']) {
      expect((await send(target)).json).toMatchObject({ status: 'UP' })
    }
    expect((await send('/healthz/livenessState')).status).toBe(200)
    expect((await send('/healthz/nope')).status).toBe(404)
  })

  it('is described in OpenAPI', () => {
    const management = createManagement({
      endpoints: [queues],
      expose: ['queues', 'health'],
      access: { queues: 'public' },
      paths: { queues: '/q', 'queues/mail': 'mail', 'health/liveness': '/livez' },
    })
    const describe = (each: typeof management) =>
      createResources({
        resources: [],
        description: { title: 'Orders', version: '1', management: each },
      }).describe() as { paths: Record<string, Record<string, { summary: string }>> }
    const { paths } = describe(management)
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/q/{name}', '/q/{name}/messages/{rest}', '/management/mail', '/livez', '/management']),
    )
    expect(Object.keys(paths)).not.toContain('/management/queues/{name}')
    expect(paths['/q/{name}']?.['get']?.summary).toBe('The size of a queue.')
    expect(paths['/management/mail']?.['get']?.summary).toBe('The size of a queue.')
    expect(paths['/livez']?.['get']?.summary).toMatch('a component or a group')
    const probes = Object.keys(describe(management.probes).paths).filter((path) => path !== '/openapi')
    expect(probes).toEqual(['/livez', '/readyz'])
    management.close()
  })
})

describe('createManagement', () => {
  const all = ['health', 'info', 'metrics', 'prometheus', 'queues']
  const base: ManagementOptions = { endpoints: [queues], expose: all, access: { queues: 'public' } }
  const path = "a path such as '/metrics' or 'scrape/prometheus', without a trailing slash"
  const name = "the id of an endpoint, or a path below one such as 'health/liveness'"
  const taken = (received: string, owner: string, at: string) =>
    `expected a path of its own, received "${received}", where requests for ${owner} are served: ${at}`

  it.each<[ManagementOptions['paths'], string]>([
    [{ info: '/' }, `paths.info: expected ${path}, received "/"`],
    [{ info: '' }, `paths.info: expected ${path}, received ""`],
    [{ info: '/info/' }, `paths.info: expected ${path}, received "/info/"`],
    [{ info: '//info' }, `paths.info: expected ${path}, received "//info"`],
    [{ info: '../info' }, `paths.info: expected ${path}, received "../info"`],
    [{ info: '/a/./b' }, `paths.info: expected ${path}, received "/a/./b"`],
    [{ info: '/info?x' }, `paths.info: expected ${path}, received "/info?x"`],
    [{ info: '/%69nfo' }, `paths.info: expected ${path}, received "/%69nfo"`],
    [{ info: '/{name}' }, `paths.info: expected ${path}, received "/{name}"`],
    [{ info: 5 as never }, `paths.info: expected ${path}, received 5`],
    ['/x' as never, `paths: expected an object of paths by endpoint id, received "/x"`],
    [{ '/info': '/x' }, `paths: expected ${name}, received "/info"`],
    [{ 'health/': '/x' }, `paths: expected ${name}, received "health/"`],
    [{ 'metrics/{name}': '/x' }, `paths: expected ${name}, received "metrics/{name}"`],
    [
      { nope: '/nope' },
      `paths.nope: expected one of the endpoints that "expose" lists (${all.join(', ')}), received "nope"`,
    ],
    [
      { 'loggers/ROOT': '/root' },
      `paths.loggers/ROOT: expected one of the endpoints that "expose" lists (${all.join(', ')}), received "loggers"`,
    ],
    [
      { 'health/livenes': '/livez' },
      'paths.health/livenes: expected the name of a component or a group of health, received "health/livenes"',
    ],
    [{ 'info/build': '/b' }, 'paths.info/build: expected the name of a path of "info", received "info/build"'],
    [{ 'queues/a/b': '/b' }, 'paths.queues/a/b: expected the name of a path of "queues", received "queues/a/b"'],
    [{ 'queues/..': '/b' }, 'paths.queues/..: expected the name of a path of "queues", received "queues/.."'],
    [{ prometheus: 'metrics' }, `paths.prometheus: ${taken('metrics', '"metrics"', '/management/metrics')}`],
    [{ prometheus: '/x', info: '/x' }, `paths.info: ${taken('/x', '"prometheus"', '/x')}`],
    [{ info: '/management' }, `paths.info: ${taken('/management', 'the page of links', '/management')}`],
    [
      { prometheus: 'metrics/text' },
      `paths.prometheus: ${taken('metrics/text', '"metrics"', '/management/metrics/{requiredMetricName}')}`,
    ],
    [
      { metrics: '/m', 'health/liveness': '/m/live' },
      `paths.health/liveness: ${taken('/m/live', '"metrics"', '/m/{requiredMetricName}')}`,
    ],
    [
      { 'health/liveness': 'health/readiness' },
      `paths.health/liveness: ${taken('health/readiness', '"health"', '/management/health/{*path}')}`,
    ],
    [
      { 'health/liveness': '/probe', 'health/readiness': '/probe' },
      `paths.health/liveness: ${taken('/probe', '"health/readiness"', '/probe')}`,
    ],
    [{ info: 'health/info' }, `paths.info: ${taken('health/info', '"health"', '/management/health/{*path}')}`],
    [{ info: 'health/a/b' }, `paths.info: ${taken('health/a/b', '"health"', '/management/health/{*path}')}`],
    [
      { info: 'queues/a/messages/b/c' },
      `paths.info: ${taken('queues/a/messages/b/c', '"queues"', '/management/queues/{name}/messages/{*rest}')}`,
    ],
    [{ health: '/', info: '//' }, `paths.health: expected ${path}, received "/"`],
  ])('refuses the paths %j', (paths, message) => {
    expect(errorOf({ ...base, paths })).toContain(`TypeError: createManagement: ${message}`)
  })

  it.each<ManagementOptions['paths']>([
    {},
    undefined,
    { info: 'info' },
    { info: '/.well-known/info' },
    { metrics: '/prometheus', prometheus: '/metrics' },
    { 'health/liveness': 'live', 'health/readiness': 'live/not' },
    { prometheus: 'info/prometheus' },
  ])('accepts the paths %j', (paths) => {
    expect(errorOf({ ...base, paths })).toBe('none')
  })

  it('names its paths, for registrations', () => {
    const paths = { info: '/about' }
    const management = createManagement({ expose: ['info'], paths })
    expect([management.paths, createManagement().paths]).toEqual([paths, {}])
  })
})

describe('management.probes', () => {
  it('has the paths that the option paths places at the root', async () => {
    const management = createManagement({
      paths: { 'health/liveness': '/alive', 'health/readiness': 'ready', 'health/start': '/startz', health: '/health' },
      health: { groups: { start: { include: ['readinessState'] } } },
    })
    const probe = (target: string) => management.probes({ ...request, target })
    for (const target of ['/alive', '/readyz', '/startz']) expect(await probe(target)).toMatchObject({ status: 200 })
    for (const target of ['/livez', '/health', '/ready', '/management/ready', '/management', '/']) {
      expect([target, probe(target)]).toEqual([target, undefined])
    }
    // On its own port the management has the paths of the option only.
    expect(management({ ...request, target: '/readyz' })).toBeUndefined()
  })

  it('is the same management', () => {
    const management = createManagement()
    const { probes } = management
    expect(management.probes).toBe(probes)
    expect(probes.probes).toBe(probes)
    expect(probes.availability).toBe(management.availability)
    expect(probes.observation).toBe(management.observation)
    probes.close()
    expect(management.draining.aborted).toBe(true)
  })

  it.each<ManagementOptions>([{ expose: ['info'] }, { access: { health: 'none' } }])(
    'is refused without health: %j',
    (options) => {
      expect(() => createManagement(options).probes).toThrow(
        'management.probes: expected "health" among the endpoints that "expose" and "access" permit',
      )
    },
  )

  const request = {
    method: 'GET',
    headers: {},
    base: '',
    body: () => ({ kind: 'parsed', value: undefined }) as const,
  }
})
