import {
  type DependenciesDocument,
  type HealthDocument,
  type HistoryDocument,
  type LogFacts,
  type LogsDocument,
  type MeterDocument,
  type MetersDocument,
  type OverviewDocument,
  type RequestDocument,
  type RequestsDocument,
  type VitalName,
  type Vitals,
  vitalNames,
} from '../../../src/console/documents.ts'

/** The time of all documents. */
export const now: number = Date.UTC(2026, 10, 26, 12)

/** Markup, a bidirectional control, a terminal escape and a lone surrogate. */
export const hostileText = '<img src=x onerror="document.title=1">\u202e\u001b[31m\ud800'

/** What the page shows of it. */
export const hostileShown = '<img src=x onerror="document.title=1">\\u202e\\u001b[31m\\ud800'

export const endpoints = [
  ...['env', 'mappings', 'info', 'sbom', 'loggers', 'profile', 'threaddump', 'heapdump', 'captures', 'startup'],
  'scheduledtasks',
] as const

/** What documents are made of: a text that is part of each name, and how many routes and series there are. */
export interface FixtureOptions {
  readonly text: string
  readonly routes: number
  readonly startedAt: number
  readonly members: readonly string[]
  /** The number of the latest log record. */
  readonly latestRecord: number
}

export type FixtureDocuments = Readonly<Record<string, unknown>>

const traceId = '0af7651916cd43dd8448eb211c80319c'

/** Returns the documents of the console by their paths. */
export function consoleDocuments({ text, routes, startedAt, members, latestRecord }: FixtureOptions): FixtureDocuments {
  const name = (base: string) => `${text}${base}`
  const values = Object.fromEntries(vitalNames.map((each) => [each, 0.5])) as Record<VitalName, number>
  const vitals: Vitals = { at: now, ...values }
  const application = { name: name('orders'), version: '1.2.3', startedAt, node: 'v24.0.0', pid: 7, host: name('host') }
  const pools = [{ name: name('postgres'), used: 1, idle: 2, maximum: 10, waiting: 1 }]
  const history = (step: number): HistoryDocument => {
    const times = Array.from({ length: 60 }, (_, index) => now - (60 - index) * step * 1_000)
    const columns = Object.fromEntries(vitalNames.map((each) => [each, times.map((_, index) => index)]))
    return { now, step, times, values: columns as unknown as HistoryDocument['values'] }
  }
  const record: LogFacts = {
    ...{
      sequence: latestRecord,
      at: now - 500,
      level: 'ERROR',
      severity: 17,
      logger: name('orders.db'),
      traceId,
      spanId: 'b',
    },
    message: name(`could not insert ${latestRecord}`),
    error: { type: 'DatabaseError', message: name('duplicate key'), stack: `DatabaseError\n    at ${name('insert')}` },
    attributes: { [name('orderId')]: name('7') },
  }
  const request = { id: 'r1', at: now - 900, method: 'POST', route: name('/orders'), path: name('/orders'), traceId }
  const failed = {
    ...request,
    status: 500,
    isAborted: false,
    seconds: 0.4,
    error: 'DatabaseError',
    kept: 'failed' as const,
  }
  const overview: OverviewDocument = {
    ...{ now, application, vitals, pools, members },
    findings: [
      {
        kind: 'health',
        severity: 'critical',
        text: name('mail is DOWN'),
        since: now - 9_000,
        link: '#/health?component=mail',
      },
    ],
    health: {
      ...{ status: 'DOWN', liveness: 'CORRECT', readiness: 'ACCEPTING_TRAFFIC' },
      components: { db: 'UP', [name('mail')]: 'DOWN' },
    },
    limits: { memory: 2 ** 29, heap: 2 ** 28, cpu: 2 },
    history: { maximumBytes: 8e6, bytes: 3e6, droppedRecords: 0 },
    viewers: { current: 1, maximum: 20 },
    links: Object.fromEntries(endpoints.map((each) => [each, `/management/${each}`])),
  }
  const requests: RequestsDocument = {
    ...{ now, windowSeconds: 60, omittedRequests: 0, omittedRunning: 3, recent: [failed] },
    running: [{ at: now - 42_000, method: 'GET', route: name('/slow'), path: name('/slow'), traceId }],
    routes: Array.from({ length: routes }, (_, index) => ({
      ...{ method: 'GET', route: name(`/r/${index}/:id`), rate: 10, requests: 600, errors: index % 2, total: 9_000 },
      ...{ p50: 0.01, p95: 0.05, p99: 0.2, maximum: 1, lastAt: now },
    })),
  }
  const one: RequestDocument = {
    now,
    request: { ...failed, errorMessage: name('duplicate key'), errorStack: `DatabaseError\n    at ${name('insert')}` },
    spans: [
      {
        spanId: 'a',
        name: name('POST /orders'),
        kind: 'server',
        at: now,
        seconds: 0.4,
        status: 'error',
        attributes: {},
      },
      {
        ...{ spanId: 'b', parentId: 'a', name: name('INSERT'), kind: 'client', at: now + 9, seconds: 0.3 },
        attributes: { 'db.system.name': name('postgresql') },
      },
    ],
    logs: [record],
  }
  const health: HealthDocument = {
    now,
    root: {
      ...{ path: '', status: 'DOWN', since: now - 9_000 },
      components: [
        { path: 'db', status: 'UP', check: { at: now - 4_000, seconds: 0.002 }, details: { v: [1] }, components: [] },
        { path: name('mail'), status: 'DOWN', details: { error: name('ECONNREFUSED') }, components: [] },
        { path: 'ssl', status: 'UP', details: { validChains: [chain(name('web'))] }, components: [] },
      ],
    },
    groups: { [name('liveness')]: 'UP' },
    changes: [{ at: now - 9_000, path: name('mail'), from: 'UP', to: 'DOWN', reason: name('timeout') }],
  }
  const meters: MetersDocument = {
    ...{ now, omittedMeters: 0 },
    meters: Array.from({ length: routes }, (_, index) => ({ name: name(`m.${index}`), kind: 'timer', series: 2 })),
  }
  const meter: MeterDocument = {
    ...{ now, name: name('m.1'), kind: 'timer', unit: 'seconds', omittedSeries: 1 },
    tags: { [name('uri')]: [name('/a'), '/b'] },
    series: [{ tags: { [name('uri')]: name('/a') }, values: { COUNT: 3, MAX: 0.2 }, promql: 'm_1_seconds_max' }],
  }
  const logs: LogsDocument = { now, latest: latestRecord, dropped: 1, records: [record] }
  const dependencies: DependenciesDocument = {
    ...{ now, pools, omitted: 0 },
    outgoing: [
      {
        ...{
          kind: 'http',
          target: name('prices.internal'),
          calls: 10,
          errors: 1,
          meanSeconds: 0.04,
          maximumSeconds: 1,
        },
        ...{ rate: 2, errorRate: 1 },
      },
    ],
    tasks: [{ name: name('close-day'), runs: 3, failures: 1, meanSeconds: 12, maximumSeconds: 19 }],
    caches: [{ name: name('prices'), hits: 9, misses: 1 }],
  }
  return {
    ...{ overview, requests, health, meters, logs, dependencies, vitals },
    'history?second': history(1),
    'history?minute': history(60),
    'requests/r1': one,
    'meters/one': meter,
  }
}

/** Returns the documents of other endpoints by their paths. */
export function endpointDocuments(text: string): FixtureDocuments {
  const name = (base: string) => `${text}${base}`
  const time = new Date(now).toISOString()
  const mappings = { dispatcherServlets: { express: [{ handler: name('show'), predicate: name('{GET [/orders]}') }] } }
  const stackTrace = [{ className: 'file:///app/a.js', methodName: name('parse'), lineNumber: 4, columnNumber: 1 }]
  const lastExecution = { status: 'ERROR', time, exception: { type: 'Error', message: name('locked') } }
  const step = (id: number, parentId?: number) => ({
    ...{ startTime: time, endTime: new Date(now + 500).toISOString() },
    startupStep: { id, parentId, name: name('startup-task'), tags: [{ key: 'name', value: name('migrate') }] },
  })
  return {
    env: {
      activeProfiles: [name('production')],
      propertySources: [{ name: name('systemEnvironment'), properties: { [name('PORT')]: { value: name('8080') } } }],
    },
    mappings: { contexts: { orders: { mappings } } },
    info: { [name('app')]: { name: name('orders') } },
    sbom: { ids: [name('application')] },
    loggers: { levels: ['INFO', 'DEBUG'], loggers: { [name('orders.db')]: { effectiveLevel: 'INFO' } } },
    threaddump: { threads: [{ threadId: 0, threadName: name('main'), threadState: 'RUNNABLE', stackTrace }] },
    captures: {
      captures: [
        {
          ...{ id: 'c1', rule: 'blocked-loop', time: new Date(now - 1_000).toISOString(), reason: name('blocked') },
          ...{ type: 'wall', bytes: 900, details: { blockedMilliseconds: 600 } },
        },
      ],
      ...{ suppressed: 1, dropped: 0 },
    },
    startup: { timeline: { startTime: time, events: [step(0), step(1, 0)] } },
    scheduledtasks: {
      cron: [
        { runnable: { target: name('close-day') }, expression: '0 0 * * *', lastExecution, running: 0, late: true },
      ],
    },
  }
}

function chain(alias: string) {
  const validityEnds = new Date(now + 9e9).toISOString()
  return { alias, certificates: [{ subject: `CN=${alias}`, validityEnds, validity: { status: 'VALID' } }] }
}
