import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arePlainSettings } from '../../src/auto/settings/plain-settings.ts'
import { readVariables } from '../../src/auto/settings/upkeep-variables.ts'
import { autoOptions } from '../../src/auto/settings/validate-options.ts'

const isValid = (options: unknown) => autoOptions().safeParse(options).success

/** For each option, the usual value, others that are valid, and some that are not. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  port: [8690, 1, 65_535, 0, 65_536, 80.5, Number.NaN, '8690'],
  host: ['127.0.0.1', '::1', 'db.internal', 'a b', '', 'a..b', 1],
  tls: [{ certFile: 'a.pem', keyFile: 'b.pem' }, {}, { certFile: '' }, { cert: 'a' }, 'a.pem', []],
  maxConnections: [256, 0, -1, 2 ** 53, 1.5, '256'],
  maxConnectionsPerAddress: [64, 0, 1e300, null],
  auditFile: ['audit.log', '', 1],
  token: ['secret', 'a b', 'ä', '', 1, ['secret']],
  expose: [['health', 'why'], [], ['healht'], 'health', new Array(2)],
  conventions: ['micrometer', 'opentelemetry', 'prometheus'],
  group: ['orders', '', 1],
  logTraceIds: [true, false, 'true'],
  routes: [['/orders/:id'], [], ['orders'], '/orders', new Array(1)],
  discover: [true, false, ['db', 'diskSpace'], ['database'], 'db'],
  readiness: [['db'], [], [''], 'db'],
  shutdown: [{ delay: '5s', timeout: '10s' }, {}, { delay: '5 parsecs' }, { delay: 5 }, { grace: '5s' }, null],
  management: [{ basePath: '/' }, [], null, 'health'],
  endpoint: ['http://localhost:4318'],
  toString: [1],
}

const member = ([name, some]: readonly [string, readonly unknown[]]) =>
  [name, fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...some, undefined) }, fc.anything())] as const
const settings = fc.oneof(
  fc
    .subarray(Object.entries(values), { maxLength: 3 })
    .chain((some) => fc.record(Object.fromEntries(some.map(member)), { requiredKeys: [] })),
  fc.anything(),
)

it('plain settings satisfy the schema', () => {
  fc.assert(
    fc.property(settings, (given) => {
      fc.pre(arePlainSettings(given))
      expect(isValid(given)).toBe(true)
    }),
  )
})

const each = Object.entries(values).flatMap(([name, some]) => some.map((value, at) => ({ name, at, value })))

it.each(each)('the schema and the plain check agree about $name, $at', ({ name, value }) => {
  expect(arePlainSettings({ [name]: value })).toBe(isValid({ [name]: value }))
})

it('the usual value of each variable is plain', () => {
  const environment = {
    ...{ UPKEEP_PORT: '8690', UPKEEP_HOST: '127.0.0.1', UPKEEP_TLS_CERT_FILE: 'a', UPKEEP_TLS_KEY_FILE: 'b' },
    ...{ UPKEEP_TLS_CLIENT_CA_FILE: 'c', UPKEEP_MAX_CONNECTIONS: '9', UPKEEP_MAX_CONNECTIONS_PER_ADDRESS: '9' },
    ...{ UPKEEP_AUDIT_FILE: 'audit.log', UPKEEP_TOKEN: 'secret', UPKEEP_EXPOSE: 'health, info' },
    ...{ UPKEEP_CONVENTIONS: 'opentelemetry', UPKEEP_GROUP: 'orders', UPKEEP_DISCOVER: 'db', UPKEEP_READINESS: 'db' },
    ...{ UPKEEP_LOG_TRACE_IDS: 'true', UPKEEP_ROUTES: '/orders/:id', UPKEEP_SHUTDOWN_DELAY: '5s' },
    UPKEEP_SHUTDOWN_TIMEOUT: '10s',
  }
  const read = readVariables(environment)
  expect(read.map(([name]) => name)).toEqual(Object.keys(environment))
  expect(read.filter(([, options]) => !arePlainSettings(options))).toEqual([])
})
