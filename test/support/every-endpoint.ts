import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearerToken, createManagement, type Management, type ManagementOptions } from 'upkeep'
import { sslBundles } from 'upkeep/health'
import { createCaches, createScheduledTasks } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { cert } from './localhost-certificate.ts'

/** Returns the identifiers of the built-in endpoints, as an error lists them. */
export function builtInIds(): readonly string[] {
  const options: object = { expose: ['none'] }
  try {
    createManagement(options)
  } catch (error) {
    const [, ids = ''] = /expected one of (.*), received/.exec(String(error)) ?? []
    return ids.split(', ')
  }
  throw new Error('expected an error that lists the identifiers')
}

export const authorization = 'Bearer let-me-in'

export interface EveryEndpoint {
  readonly management: Management
  /** Closes the management, and removes its files. */
  readonly close: () => void
}

/** Creates a management with every built-in endpoint, each of which has something to show. */
export function createEveryEndpoint(options: ManagementOptions = {}): EveryEndpoint {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-every-'))
  const [logFile, bom] = [join(folder, 'orders.log'), join(folder, 'bom.json')]
  writeFileSync(logFile, 'the first line\nthe second line\n')
  writeFileSync(bom, JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [] }))

  const caches = createCaches()
  caches.add('cities', new Map([['Paris', 1]]))

  const management = createManagement({
    application: { name: 'orders', version: '1.4.2' },
    expose: builtInIds(),
    authorize: bearerToken('let-me-in'),
    health: {
      indicators: {
        db: () => ({ status: 'UP', details: { database: 'PostgreSQL 17' } }),
        stores: { indicators: { near: () => 'UP', far: () => ({ status: 'UNKNOWN', details: { km: 7 } }) } },
      },
      groups: { storage: { include: ['db'] } },
      showDetails: 'always',
    },
    info: { runtime: true, os: true, process: true, container: true, ssl: true },
    ssl: sslBundles({ web: { cert } }),
    recorder: {},
    loggers: createLogger({ application: { name: 'orders' }, write: () => {} }).loggers,
    loggerGroups: { sql: ['ROOT'] },
    scheduledTasks: createTasks(),
    heapdump: { factor: 1 },
    sbom: { application: bom },
    audit: () => {},
    report: () => {},
    ...{ caches, logFile },
    ...options,
  })
  management.mappings.register({}, 'orders', () => [{ method: 'GET', path: '/orders/:id' }])
  return {
    management,
    close() {
      management.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A task of each kind: one that has not run, one that has, and one that fails. */
function createTasks() {
  const tasks = createScheduledTasks()
  tasks.schedule('nightly', () => {}, { cron: '0 3 * * *', next: () => new Date('2100-01-01T03:00:00Z') })
  tasks.schedule('send', () => {}, { fixedDelay: '3s' })()
  tasks.schedule('manual', () => {})
  const fail = tasks.schedule(
    'poll',
    () => {
      throw new RangeError('no stock')
    },
    { fixedRate: '2s', initialDelay: '1s' },
  )
  try {
    fail()
  } catch {
    // The caller of the task receives its error.
  }
  return tasks
}

/** A request of an endpoint, and its response. */
export interface EndpointRequest {
  readonly method: string
  /** Below the base path. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
  /** Without parameters; `undefined` for a response without content. */
  readonly mediaType: string | undefined
  /** A member of a JSON object, or a part of a text. */
  readonly shows: string
}

const [json, text, bytes] = ['application/json', 'text/plain', 'application/octet-stream']

const read = (
  path: string,
  shows: string,
  mediaType: string = json,
  headers: Readonly<Record<string, string>> = {},
): EndpointRequest => ({ method: 'GET', path, status: 200, mediaType, shows, headers })

/** An operation that changes something, with a body of JSON. */
const change = (method: string, path: string, body?: object): EndpointRequest => ({
  ...{ method, path, status: 204, mediaType: undefined, shows: '' },
  ...(body && { body: JSON.stringify(body), headers: { 'content-type': json } }),
})

/** Requests of each operation of the built-in endpoints by id; none takes a heap snapshot or ends the process. */
export const endpointRequests: Readonly<Record<string, readonly EndpointRequest[]>> = {
  health: [
    read('health', 'components'),
    read('health/stores/far', 'details'),
    read('health/liveness', 'status'),
    read('health/storage', 'components'),
  ],
  info: [read('info', 'process')],
  metrics: [
    read('metrics', 'names'),
    read('metrics/process.uptime', 'measurements'),
    // Only of a member of a cluster.
    { ...read('metrics?member=2', 'detail'), status: 404, mediaType: 'application/problem+json' },
  ],
  prometheus: [
    read('prometheus', 'process_uptime_seconds '),
    read('prometheus', '# EOF', 'application/openmetrics-text', { accept: 'application/openmetrics-text' }),
  ].map((each) => (each.mediaType === json ? { ...each, mediaType: text } : each)),
  loggers: [
    read('loggers', 'levels'),
    change('POST', 'loggers/ROOT', { configuredLevel: 'DEBUG', for: '15m' }),
    read('loggers/ROOT', 'revertsAt'),
    read('loggers/sql', 'members'),
    change('POST', 'loggers/sql', { configuredLevel: 'INFO' }),
  ],
  tracing: [
    read('tracing', 'enabled'),
    { ...change('POST', 'tracing', {}), status: 409, mediaType: 'application/problem+json', shows: 'detail' },
  ],
  profile: [
    read('profile?seconds=0.05&format=cpuprofile', 'nodes'),
    read('profile?seconds=0.05&format=folded', '', text),
    read('profile?seconds=0.05&format=flamegraph', '<!doctype html>', 'text/html'),
    read('profile?seconds=0.05', '', bytes),
  ],
  pprof: [
    read('pprof', 'go tool pprof', 'text/html'),
    ...['profile', 'heap', 'allocs'].map((name) => read(`pprof/${name}?seconds=0.05`, '', bytes)),
  ],
  // Without the watchdog, in whose thread the flight recorder runs.
  captures: ['captures', 'captures/none'].map((path) => ({
    ...read(path, 'detail'),
    ...{ status: 501, mediaType: 'application/problem+json' },
  })),
  console: [
    read('console', '<!doctype html>', 'text/html'),
    { ...read('console/assets/none', 'detail'), status: 404, mediaType: 'application/problem+json' },
    { ...read('console/requests/none', 'detail'), status: 404, mediaType: 'application/problem+json' },
    { ...read('console/stream', '', 'text/event-stream'), method: 'HEAD' },
    ...['overview', 'history', 'requests', 'health', 'meters', 'meters/process.uptime', 'logs', 'dependencies'].map(
      (path) => read(`console/${path}`, 'now'),
    ),
  ],
  why: [read('why', 'statements'), read('why', ': why', 'text/markdown', { accept: 'text/markdown' })],
  env: [read('env', 'propertySources'), read('env/PATH', 'property')],
  httpexchanges: [read('httpexchanges', 'exchanges')],
  mappings: [read('mappings', 'contexts')],
  logfile: [
    read('logfile', 'the second line', text),
    { ...read('logfile', 'first', text, { range: 'bytes=4-8' }), status: 206 },
  ],
  scheduledtasks: [read('scheduledtasks', 'cron')],
  caches: [
    read('caches', 'cacheManagers'),
    read('caches/cities', 'target'),
    change('DELETE', 'caches/cities'),
    change('DELETE', 'caches'),
  ],
  shutdown: [{ ...change('POST', 'shutdown'), status: 501, mediaType: 'application/problem+json', shows: 'detail' }],
  startup: [read('startup', 'timeline'), { ...read('startup', 'timeline'), method: 'POST' }],
  sbom: [read('sbom', 'ids'), read('sbom/application', 'components', 'application/vnd.cyclonedx+json')],
  threaddump: [read('threaddump', 'threads'), read('threaddump', '"main" - Thread t@0', text, { accept: text })],
  heapdump: [{ ...read('heapdump', '', bytes), method: 'HEAD' }],
}

/** Returns the media type of a response without its parameters. */
export function essenceOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';')[0]?.trim()
}
