import { expect } from 'vitest'

/** What a page needs of the response to a request: its status (200 by default), its type, and the fields it reads. */
export interface Need extends RequestInit {
  readonly status?: unknown
  readonly type?: RegExp
  readonly reads?: unknown
  /** The field `Allow`. */
  readonly allow?: RegExp
}

const aNumber: unknown = expect.any(Number)
const aString: unknown = expect.any(String)
const anArray: unknown = expect.any(Array)
const anObject: unknown = expect.any(Object)
const aTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const aDuration: unknown = expect.stringMatching(/^PT[\dHM.]*S?$/)
const oneOf = (...values: readonly number[]): unknown => expect.toBeOneOf([...values])
const has = (members: object): unknown => expect.objectContaining(members)
const includes = (...members: readonly unknown[]): unknown => expect.arrayContaining([...members])

/** A meter whose first measurement is shown. */
const aValue = has({ measurements: includes(has({ statistic: aString, value: aNumber })) })
const withTag = (tag: string, ...values: readonly string[]) =>
  has({
    availableTags: includes({ tag, values: includes(...values) }),
    measurements: includes(has({ value: aNumber })),
  })
const statistics = (...names: readonly string[]) =>
  has({ measurements: includes(...names.map((statistic) => ({ statistic, value: aNumber }))), baseUnit: 'seconds' })

/** The pages send each tag twice. */
const twice = (...tags: readonly string[]) =>
  [...tags, ...tags].map((tag) => `tag=${encodeURIComponent(tag)}`).join('&')

const json = { 'content-type': 'application/json' }
const post = (configuredLevel?: string): RequestInit => ({
  headers: { ...json, origin: 'http://admin:8080' },
  body: JSON.stringify(configuredLevel === undefined ? {} : { configuredLevel }),
})

/** What each page requests from the instance, through the server (Spring Boot Admin 4.1.2), and the fields it reads. */
export const pages: readonly (readonly [page: string, request: string, need: Need])[] = [
  ['Details: Info', 'GET info', { reads: has({ build: has({ version: '1.4.2' }), process: has({ pid: aNumber }) }) }],
  [
    'Details: Health',
    'GET health',
    { reads: has({ status: 'UP', components: has({ stock: { status: 'UP', details: { items: 3 } } }) }) },
  ],
  [
    'Details: Health, a group',
    'GET health/storage',
    {
      reads: has({
        status: 'UP',
        components: has({ diskSpace: has({ status: 'UP', details: has({ total: aNumber, free: aNumber }) }) }),
      }),
    },
  ],
  [
    'Details: Process',
    'GET metrics/process.uptime',
    { reads: has({ measurements: [{ statistic: 'VALUE', value: aNumber }], baseUnit: 'seconds' }) },
  ],
  ['Details: Process', 'GET metrics/system.cpu.count', { reads: aValue }],
  ['Details: Process', 'GET metrics/process.cpu.usage', { reads: aValue }],
  ['Details: Process', 'GET metrics/system.cpu.usage', { reads: aValue }],
  [
    'Details: Process',
    'GET info',
    { reads: has({ process: has({ pid: aNumber, parentPid: aNumber, owner: aString }) }) },
  ],
  ['Details: Garbage collection', 'GET metrics/jvm.gc.pause', { reads: statistics('COUNT', 'TOTAL_TIME', 'MAX') }],
  ...['live', 'peak', 'daemon'].map(
    (name) => ['Details: Threads', `GET metrics/jvm.threads.${name}`, { reads: aValue }] as const,
  ),
  ...['heap', 'nonheap'].flatMap((area) =>
    ['max', 'used', 'committed'].map(
      (name) =>
        [
          `Details: Memory ${area}`,
          `GET metrics/jvm.memory.${name}?${twice(`area:${area}`)}`,
          { reads: aValue },
        ] as const,
    ),
  ),
  ['Details: Cache', 'GET metrics/cache.gets', { reads: withTag('name', 'cities') }],
  ['Details: Cache', `GET metrics/cache.gets?${twice('name:cities', 'result:hit')}`, { reads: aValue }],
  ['Details: Cache', `GET metrics/cache.gets?${twice('name:cities', 'result:miss')}`, { reads: aValue }],
  ['Details: Cache', `GET metrics/cache.size?${twice('name:cities')}`, { reads: aValue }],
  ['Metrics', 'GET metrics', { reads: { names: includes('jvm.memory.used', 'process.uptime') } }],
  [
    'Metrics',
    'GET metrics/jvm.memory.used',
    {
      reads: has({
        description: aString,
        baseUnit: 'bytes',
        availableTags: includes({ tag: 'area', values: includes('heap', 'nonheap') }),
      }),
    },
  ],
  [
    'Loggers',
    'GET loggers',
    {
      reads: {
        levels: includes('OFF', 'DEBUG'),
        loggers: has({ ROOT: { configuredLevel: 'INFO', effectiveLevel: 'INFO' } }),
        groups: expect.any(Object),
      },
    },
  ],
  ['Loggers', 'POST loggers/orders', { ...post('DEBUG'), status: 204, type: /^$/ }],
  ['Loggers', 'GET loggers/orders', { reads: { configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' } }],
  ['Loggers', 'POST loggers/orders', { ...post(), status: 204, type: /^$/ }],
  ['Loggers', 'GET loggers/orders', { reads: { effectiveLevel: 'INFO' } }],
  ['Loggers, a group', 'POST loggers/db', { ...post('DEBUG'), status: 204, type: /^$/ }],
  ['Loggers, a group', 'GET loggers/db', { reads: { configuredLevel: 'DEBUG', members: includes(aString) } }],
  ['Loggers, a group', 'POST loggers/db', { ...post(), status: 204, type: /^$/ }],
  [
    'Environment',
    'GET env',
    {
      reads: has({
        activeProfiles: anArray,
        propertySources: includes({ name: aString, properties: has({ PATH: has({ value: aString }) }) }),
      }),
    },
  ],
  ['Environment', 'GET env/PATH', { reads: has({ property: has({ source: aString, value: aString }) }) }],
  ['Environment', 'OPTIONS env', { status: oneOf(200, 204), type: /^$/, allow: /^(?!.*POST)/ }],
  [
    'HTTP exchanges',
    'GET httpexchanges',
    {
      reads: {
        exchanges: includes(
          has({
            timestamp: aTime,
            timeTaken: aDuration,
            request: has({ method: aString, uri: expect.stringMatching(/^https?:\/\/[^/]+\//), headers: anObject }),
            response: has({ status: aNumber, headers: anObject }),
          }),
        ),
      },
    },
  ],
  // Another type is taken for an old Spring Boot.
  [
    'Mappings',
    'GET mappings',
    { reads: { contexts: anObject }, type: /^application\/vnd\.spring-boot\.actuator\.v3\+json/ },
  ],
  [
    'Scheduled tasks',
    'GET scheduledtasks',
    {
      reads: has({
        cron: includes(
          has({ runnable: has({ target: aString }), expression: aString, nextExecution: has({ time: aTime }) }),
        ),
        fixedDelay: anArray,
        fixedRate: anArray,
      }),
    },
  ],
  [
    'Logfile',
    'GET logfile',
    { headers: { accept: 'text/plain,*/*', range: 'bytes=-307200' }, status: oneOf(200, 206), type: /^text\/plain/ },
  ],
  [
    'Logfile',
    'GET logfile',
    { headers: { accept: 'text/plain,*/*', range: 'bytes=0-9' }, status: 206, type: /^text\/plain/ },
  ],
  ['Startup', 'OPTIONS startup', { status: oneOf(200, 204), type: /^$/, allow: /GET/ }],
  [
    'Startup',
    'GET startup',
    {
      reads: has({
        timeline: has({
          startTime: aTime,
          events: includes(
            has({
              startTime: aTime,
              endTime: aTime,
              duration: aDuration,
              startupStep: has({ id: aNumber, name: aString, tags: anArray }),
            }),
          ),
        }),
      }),
    },
  ],
  [
    'Thread dump',
    'GET threaddump',
    {
      reads: {
        threads: includes(
          has({
            threadId: aNumber,
            threadName: aString,
            threadState: aString,
            blockedCount: aNumber,
            waitedCount: aNumber,
            stackTrace: includes(has({ className: aString, methodName: aString, lineNumber: aNumber })),
          }),
        ),
      },
    },
  ],
  ['Thread dump, download', 'GET threaddump', { headers: { accept: 'text/plain' }, type: /^text\/plain/ }],
  ['Caches', 'GET caches', { reads: { cacheManagers: anObject } }],
  ['Caches', 'DELETE caches', { status: 204, type: /^$/ }],
  ['Dependencies', 'GET sbom', { headers: { accept: 'application/json' }, reads: { ids: includes('application') } }],
  [
    'Dependencies',
    'GET sbom/application',
    {
      headers: { accept: '*/*' },
      reads: has({
        components: includes(has({ name: aString, version: aString })),
        dependencies: includes(has({ ref: aString })),
      }),
    },
  ],
]
