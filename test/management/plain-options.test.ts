import fc from 'fast-check'
import { expect, it } from 'vitest'
import { builtInIds } from '../../src/management/endpoints/endpoint.ts'
import { managementOptions } from '../../src/management/options-schema/management-options.ts'
import { arePlainOptions } from '../../src/management/plain-options.ts'

const schema = managementOptions(builtInIds).schema()
const isValid = (options: unknown) => schema.safeParse(options).success

const run = () => undefined
/** For each member, values that are plain, some that only the schema knows, and some that are invalid. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  application: [{ name: 'orders' }, { name: 'orders', version: '1' }, { name: '' }, {}, { name: 'a', title: 'b' }],
  basePath: ['/', '/admin', '/admin/', 'admin', 1],
  paths: [{ prometheus: '/metrics' }, { 'health/db': 'db' }, { 'health/': 'x' }, { health: '/a/' }, { health: 1 }],
  conventions: ['micrometer', 'opentelemetry', 'prometheus'],
  expose: [['health'], [], ['health', 'info'], new Array(2), ['healht'], 'health', [['health']]],
  access: [{ info: 'authorized' }, { '*': 'none' }, { info: { roles: ['ops'] } }, { infos: 'public' }, { info: 'all' }],
  health: [
    { indicators: { db: run } },
    { indicators: { db: run }, groups: { readiness: { include: ['db'], showDetails: 'always' } } },
    { httpMapping: { DOWN: 200 }, order: ['DOWN'], roles: ['ops'], format: 'terminus', slowCheck: '1s' },
    ...[{ indicators: { livenessState: run } }, { groups: { 'a/b': {} } }, { slowCheck: '0s' }, { timeout: '1s' }],
    ...[{ httpMapping: { DOWN: 204 } }, { roles: [] }, { order: 'DOWN' }, { [Symbol('s')]: 1 }, []],
  ],
  info: [{ build: true, contributors: [run] }, { git: 1 }, { contributors: [1] }, { commit: true }],
  metrics: [
    { commonTags: { region: 'eu', zone: 1, canary: true }, sources: [{}], filters: [{}], runtime: false },
    ...[{ runtime: { prefix: 'jvm' } }, { commonTags: { zone: Number.NaN } }, { commonTags: { zone: null } }],
    ...[{ runtime: 'yes' }, { exemplar: run }, { createdTimestamps: 1 }, { filters: [run] }],
  ],
  observation: [{ managementRequests: true, redactPath: run }, { managementRequests: 'yes' }],
  tracing: [true, false, { probability: 0.5 }, { probability: 2 }, 'on'],
  loggers: [{ names: run, level: run, configure: run }, { names: run }, [], run],
  logFile: ['app.log', ''],
  caches: [{ list: run, measure: run }, {}],
  scheduledTasks: [{ read: run, measure: run }, { read: run }],
  ssl: [{ bundles: run, measure: run }, undefined],
  authorize: [run, 'token'],
  audit: [run, null],
  clock: [
    { wallTime: run, monotonicTime: run },
    Object.assign(Object.create({ wallTime: run, monotonicTime: run })),
    {},
  ],
  report: [run, console],
  heapdump: [{ factor: 2 }, { factor: 0 }],
  unknown: [1],
  toString: [run],
}

const member = ([name, some]: readonly [string, readonly unknown[]]) =>
  [name, fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...some, undefined) }, fc.anything())] as const
const options = fc.oneof(
  { weight: 9, arbitrary: fc.record(Object.fromEntries(Object.entries(values).map(member)), { requiredKeys: [] }) },
  fc
    .subarray(Object.entries(values), { maxLength: 2 })
    .chain((some) => fc.record(Object.fromEntries(some.map(member)))),
  fc.anything(),
)

it('plain options satisfy the schema', () => {
  fc.assert(
    fc.property(options, (given) => {
      fc.pre(arePlainOptions(given))
      // What options require of one another is checked apart from the values of each.
      expect(isValid({ ...(given as object), expose: [], info: {} })).toBe(true)
    }),
  )
})

it.each(Object.entries(values).flatMap(([name, some]) => some.map((value, at) => ({ name, at, value }))))(
  'a plain value of an option satisfies the schema: $name, $at',
  ({ name, value }) => {
    const given = { [name]: value }
    if (arePlainOptions(given)) expect(isValid({ ssl: values['ssl']?.[0], ...given })).toBe(true)
  },
)

it.each([
  'application',
  ...['basePath', 'paths', 'conventions', 'expose', 'access', 'health', 'info', 'metrics', 'observation', 'tracing'],
  ...['loggers', 'logFile', 'caches', 'scheduledTasks', 'ssl', 'authorize', 'audit', 'clock', 'report'],
])('the usual value of the option %s is plain', (name) => {
  expect(arePlainOptions({ [name]: values[name]?.[0], tracing: undefined })).toBe(true)
})

it.each([undefined, null, 1, [], Object.create({ basePath: 1 }), new Map()])('is for object literals: %o', (given) => {
  expect(arePlainOptions(given)).toBe(false)
})
