import { expect } from 'vitest'

/** What a page needs of the response to a request: its status (200 by default), its type, and the fields it reads. */
export interface Need extends RequestInit {
  readonly status?: number
  readonly type?: RegExp
  readonly reads?: unknown
}

const aNumber: unknown = expect.any(Number)
const aString: unknown = expect.any(String)
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
    { reads: has({ status: 'UP', components: { stock: { status: 'UP', details: { items: 3 } } } }) },
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
        loggers: has({ ROOT: { configuredLevel: 'INFO', effectiveLevel: 'INFO' }, orders: { effectiveLevel: 'INFO' } }),
        groups: expect.any(Object),
      },
    },
  ],
  ['Loggers', 'POST loggers/orders', { ...post('DEBUG'), status: 204, type: /^$/ }],
  ['Loggers', 'GET loggers/orders', { reads: { configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' } }],
  ['Loggers', 'POST loggers/orders', { ...post(), status: 204, type: /^$/ }],
  ['Loggers', 'GET loggers/orders', { reads: { effectiveLevel: 'INFO' } }],
]
