import type { ManagementOptions } from 'upkeep'
import { createManagement } from 'upkeep'
import { describe, expect, it, onTestFinished } from 'vitest'

function create(options: unknown) {
  const management = createManagement(options as ManagementOptions)
  onTestFinished(management.close)
  return management
}

function faultOf(options: unknown): string {
  try {
    create(options)
    return ''
  } catch (error) {
    return String(error)
  }
}
const up = () => 'UP'
const rejectEveryone = () => undefined
/** The identifiers of the built-in endpoints, as an error lists them. */
const [, ids = ''] = /expected one of (.*), received/.exec(faultOf({ expose: ['none'] })) ?? []
const metricsOptions =
  'commonTags, sources, filters, maximumSeriesPerMeter, window, expireAfter, createdTimestamps, exemplar, runtime'
const audience = 'one of never, when-authorized, always'
const path = "'/' or a path such as '/management'"
const status = 'a status from 200 to 599, other than 204, 205 and 304, which have no content'

const count = 'a whole number of 1 or more'
const duration = 'a duration such as "5s" of more than 0'
const runtime = "true, false or { prefix: 'jvm' | 'nodejs', path }"

const access = "'public', 'authorized', 'none', { roles: ['ops'] } or { read, write } of these"
const unguarded = '"public" or "none" without the option "authorize"'

const circle: Record<string, unknown> = {}
circle['self'] = circle

describe('createManagement', () => {
  it.each([
    [undefined],
    [{}],
    [{ application: { name: 'orders' } }],
    [
      {
        application: { name: 'orders', version: undefined },
        basePath: undefined,
        expose: undefined,
        health: undefined,
      },
    ],
    [{ basePath: '/' }],
    [{ basePath: '/ops/management-1.0/~a_b' }],
    [{ basePath: '/.well-known' }],
    [{ expose: [] }],
    [{ conventions: 'micrometer' }],
    [{ conventions: 'opentelemetry' }],
    [{ expose: ['health', 'info', 'health'] }],
    [{ health: { indicators: { a: up, b: { check: up }, c: { state: up }, d: { indicators: { e: up } } } } }],
    [{ health: { order: ['DOWN'], httpMapping: { DOWN: 500 }, showDetails: 'always', showComponents: 'never' } }],
    [
      {
        health: { groups: { liveness: {}, mine: { include: ['livenessState'], exclude: [], showDetails: 'always' } } },
      },
    ],
    [{ info: { build: true, git: false, runtime: true, os: true, process: true, contributors: [() => undefined] } }],
    [
      {
        metrics: {
          commonTags: { region: 'eu', zone: 7, canary: false },
          filters: [{ accept: () => 'neutral' }],
          maximumSeriesPerMeter: 1,
          window: { rotations: 1, rotation: '10s' },
          expireAfter: { counter: '1h', timer: '500ms', summary: '1d', longTaskTimer: '1m' },
          exemplar: () => undefined,
          runtime: { prefix: 'nodejs', path: '/tmp' },
        },
      },
    ],
    [{ metrics: { maximumSeriesPerMeter: Number.POSITIVE_INFINITY, runtime: true, createdTimestamps: true } }],
    [{ metrics: { runtime: {}, window: {}, expireAfter: {}, commonTags: {}, filters: [] } }],
    [{ health: { concurrency: 4, slowCheck: '500ms' } }],
    [{ health: { concurrency: Number.POSITIVE_INFINITY, slowCheck: undefined } }],
    [{ metrics: { commonTags: undefined, window: { rotation: undefined }, runtime: { prefix: undefined } } }],
    [{ tracing: true }],
    [{ tracing: false }],
    [{ tracing: {} }],
    [{ tracing: { probability: 0 } }],
    [{ tracing: { probability: 1 } }],
    [{ loggers: { levels: [], names: () => [], level: () => undefined, configure: () => {} }, expose: ['loggers'] }],
    [{ authorize: rejectEveryone, report: () => {}, clock: { wallTime: () => 0, monotonicTime: () => 0 } }],
    [{ access: { health: 'public', info: 'none', '*': 'none', metrics: undefined } }],
    [{ access: { health: 'public', metrics: 'authorized', '*': { roles: ['ops'] } }, authorize: rejectEveryone }],
    [{ access: { loggers: { read: 'public', write: { roles: ['ops'] } } }, authorize: rejectEveryone }],
    [{ access: { loggers: { write: 'none' } } }],
    [{ health: { roles: ['ops', 'dev'], groups: { liveness: { roles: ['ops'] } } } }],
  ])('accepts %j', (options) => {
    expect(typeof create(options)).toBe('function')
  })

  it.each([
    [null, 'options: expected an object, received null'],
    [5, 'options: expected an object, received 5'],
    [{ bassPath: '/' }, 'unknown option "bassPath"; did you mean "basePath"?'],
    [{ application: {} }, 'application.name: expected a string, received undefined'],
    [{ application: 'orders' }, 'application: expected { name, version }, received "orders"'],
    [{ application: { name: '' } }, 'application.name: expected a non-empty string, received ""'],
    [{ application: { name: 'orders', version: 1 } }, 'application.version: expected a string, received 1'],
    [{ basePath: 'management' }, `basePath: expected ${path}, received "management"`],
    [{ basePath: '' }, `basePath: expected ${path}, received ""`],
    [{ basePath: '/management/' }, `basePath: expected ${path}, received "/management/"`],
    [{ basePath: '//management' }, `basePath: expected ${path}, received "//management"`],
    [{ basePath: '/a/../b' }, `basePath: expected ${path}, received "/a/../b"`],
    [{ basePath: '/a/.' }, `basePath: expected ${path}, received "/a/."`],
    [{ basePath: '/a?b' }, `basePath: expected ${path}, received "/a?b"`],
    [{ basePath: '/%6d' }, `basePath: expected ${path}, received "/%6d"`],
    [{ basePath: '/{*path}' }, `basePath: expected ${path}, received "/{*path}"`],
    [{ basePath: '/a\n' }, `basePath: expected ${path}, received "/a\\n"`],
    [{ basePath: /a/ }, 'basePath: expected a path, received an object'],
    [{ conventions: 'otel' }, 'conventions: expected one of micrometer, opentelemetry, received "otel"'],
    [{ expose: 'health' }, 'expose: expected an array of endpoint ids, received "health"'],
    [{ expose: ['health', 'helth'] }, `expose[1]: expected one of ${ids}, received "helth"`],
    [{ expose: [1n] }, `expose[0]: expected one of ${ids}, received 1`],
    [{ expose: [circle] }, `expose[0]: expected one of ${ids}, received an object`],
    [{ access: 'public' }, 'access: expected an object of access rules by endpoint id, received "public"'],
    [{ access: { metrics: 'admin' } }, `access.metrics: expected ${access}, received "admin"`],
    [{ access: { '*': true } }, `access.*: expected ${access}, received true`],
    [{ access: { info: { roles: [] } } }, `access.info: expected ${access}, received an object`],
    [{ access: { info: { roles: 'ops' } } }, `access.info: expected ${access}, received an object`],
    [{ access: { info: { role: 'ops' } } }, `access.info: expected ${access}, received an object`],
    [{ access: { metrics: 'authorized' } }, `access.metrics: expected ${unguarded}, received "authorized"`],
    [{ access: { '*': { roles: ['ops'] } } }, `access.*: expected ${unguarded}, received an object`],
    [{ health: { roles: [] } }, "health.roles: expected an array of roles, such as ['ops'], received an empty array"],
    [{ health: { roles: 'ops' } }, `health.roles: expected an array of roles, such as ['ops'], received "ops"`],
    [{ access: { helth: 'none' } }, 'unknown option "access.helth"; did you mean "access.health"?'],
    [{ health: [] }, 'health: expected an object, received an empty array'],
    [
      { health: { indicators: up } },
      'health.indicators: expected an object of health indicators by name, received a function',
    ],
    [
      { health: { indicators: { livenessState: up } } },
      'health.indicators: expected names other than livenessState and readinessState, which are ' +
        'defined by upkeep, received an object',
    ],
    [{ health: { order: 'DOWN' } }, 'health.order: expected an array of statuses, received "DOWN"'],
    [{ health: { order: [1] } }, 'health.order[0]: expected a string, received 1'],
    [{ health: { httpMapping: { DOWN: '503' } } }, 'health.httpMapping.DOWN: expected a whole number, received "503"'],
    [{ health: { httpMapping: { DOWN: 199 } } }, `health.httpMapping.DOWN: expected ${status}, received 199`],
    [{ health: { httpMapping: { DOWN: 600 } } }, `health.httpMapping.DOWN: expected ${status}, received 600`],
    [{ health: { httpMapping: { UP: 204 } } }, `health.httpMapping.UP: expected ${status}, received 204`],
    [{ health: { httpMapping: { '': 503 } } }, 'health.httpMapping: expected a non-empty string, received ""'],
    [{ health: { showDetails: true } }, `health.showDetails: expected ${audience}, received true`],
    [
      { health: { showComponents: 'authorized' } },
      `health.showComponents: expected ${audience}, received "authorized"`,
    ],
    [{ health: { groups: [] } }, 'health.groups: expected an object of groups by name, received an empty array'],
    [{ health: { groups: { 'a/b': {} } } }, 'health.groups: expected names without a slash, received "a/b"'],
    [{ health: { groups: { a: undefined } } }, 'health.groups.a: expected an object, received undefined'],
    [
      { health: { groups: { a: { include: 'db' } } } },
      'health.groups.a.include: expected an array of names, received "db"',
    ],
    [
      { health: { groups: { a: { inclde: [] } } } },
      'unknown option "health.groups.a.inclde"; did you mean "health.groups.a.include"?',
    ],
    [{ health: { concurrency: 0 } }, `health.concurrency: expected ${count}, or Infinity, received 0`],
    [{ health: { concurrency: 1.5 } }, `health.concurrency: expected ${count}, or Infinity, received 1.5`],
    [{ health: { slowCheck: 1000 } }, `health.slowCheck: expected ${duration}, received 1000`],
    [{ health: { slowCheck: '0s' } }, `health.slowCheck: expected ${duration}, received "0s"`],
    [{ info: { git: 'full' } }, 'info.git: expected true or false, received "full"'],
    [{ info: { contributors: [{}] } }, 'info.contributors[0]: expected a function, received an object'],
    [{ metrics: null }, 'metrics: expected an object, received null'],
    [{ metrics: { comonTags: {} } }, 'unknown option "metrics.comonTags"; did you mean "metrics.commonTags"?'],
    [{ metrics: { clock: {} } }, `unknown option "metrics.clock"; expected ${metricsOptions}`],
    [{ metrics: { commonTags: [] } }, 'metrics.commonTags: expected an object of tags, received an empty array'],
    [
      { metrics: { commonTags: { a: null } } },
      'metrics.commonTags.a: expected a string, a number or a boolean, received null',
    ],
    [{ metrics: { createdTimestamps: 1 } }, 'metrics.createdTimestamps: expected true or false, received 1'],
    [{ metrics: { filters: {} } }, 'metrics.filters: expected an array of meter filters, received an object'],
    [{ metrics: { filters: ['deny'] } }, 'metrics.filters[0]: expected a meter filter, received "deny"'],
    [
      { metrics: { maximumSeriesPerMeter: 0 } },
      `metrics.maximumSeriesPerMeter: expected ${count}, or Infinity, received 0`,
    ],
    [
      { metrics: { maximumSeriesPerMeter: 1.5 } },
      `metrics.maximumSeriesPerMeter: expected ${count}, or Infinity, received 1.5`,
    ],
    [
      { metrics: { maximumSeriesPerMeter: '9' } },
      `metrics.maximumSeriesPerMeter: expected ${count}, or Infinity, received "9"`,
    ],
    [{ metrics: { window: '1m' } }, 'metrics.window: expected an object, received "1m"'],
    [{ metrics: { window: { rotations: 0 } } }, `metrics.window.rotations: expected ${count}, received 0`],
    [{ metrics: { window: { rotations: 1.5 } } }, `metrics.window.rotations: expected ${count}, received 1.5`],
    [{ metrics: { window: { rotation: 60 } } }, `metrics.window.rotation: expected ${duration}, received 60`],
    [{ metrics: { window: { rotation: '0s' } } }, `metrics.window.rotation: expected ${duration}, received "0s"`],
    [
      { metrics: { expireAfter: '5m' } },
      'metrics.expireAfter: expected an object of durations by kind of meter, received "5m"',
    ],
    [
      { metrics: { expireAfter: { gauge: '5m' } } },
      'unknown option "metrics.expireAfter.gauge"; expected counter, timer, summary, longTaskTimer',
    ],
    [
      { metrics: { expireAfter: { counter: '5 m' } } },
      `metrics.expireAfter.counter: expected ${duration}, received "5 m"`,
    ],
    [
      { metrics: { expireAfter: { counter: '0s' } } },
      `metrics.expireAfter.counter: expected ${duration}, received "0s"`,
    ],
    [
      { metrics: { exemplar: {} } },
      'metrics.exemplar: expected a function that returns the current trace, received an object',
    ],
    [{ metrics: { runtime: 'jvm' } }, `metrics.runtime: expected ${runtime}, received "jvm"`],
    [
      { metrics: { runtime: { prefix: 'java' } } },
      'metrics.runtime.prefix: expected one of jvm, nodejs, received "java"',
    ],
    [
      { metrics: { runtime: { paht: '/' } } },
      'unknown option "metrics.runtime.paht"; did you mean "metrics.runtime.path"?',
    ],
    [{ metrics: { runtime: { path: '' } } }, 'metrics.runtime.path: expected a non-empty string, received ""'],
    [{ tracing: 0.1 }, 'tracing: expected true, false or { probability, baggage }, received 0.1'],
    [{ tracing: { probability: '1' } }, 'tracing.probability: expected a number from 0 to 1, received "1"'],
    [{ tracing: { probability: 1.1 } }, 'tracing.probability: expected a number from 0 to 1, received 1.1'],
    [{ tracing: { probability: Number.NaN } }, 'tracing.probability: expected a number from 0 to 1, received NaN'],
    [
      { tracing: { baggage: { logFields: 'tenant' } } },
      'tracing.baggage.logFields: expected an array of keys of baggage, received "tenant"',
    ],
    [{ tracing: { sampler: 1 } }, 'unknown option "tracing.sampler"; did you mean "tracing.probability"?'],
    [{ authorize: 'the-token' }, 'authorize: expected a function from a request to a principal, received a string'],
    [{ authorize: { token: 'x' } }, 'authorize: expected a function from a request to a principal, received an object'],
    [{ clock: 5 }, 'clock: expected a clock: { wallTime, monotonicTime }, received 5'],
    [{ clock: { wallTime: () => 0 } }, 'clock.monotonicTime: expected a function, received undefined'],
    [{ loggers: 'pino' }, 'loggers: expected loggers, such as pinoLoggers(logger), received "pino"'],
    [{ report: console }, 'report: expected a function of a message and a cause, received an object'],
  ])('rejects case %#, with the option, what is expected and what was received', (options, fault) => {
    expect(() => create(options)).toThrow(new TypeError(`createManagement: ${fault}`))
  })

  it('names every invalid option', () => {
    expect(() => create({ basePath: 'a', health: { showDetails: 1 }, bassPath: 2 })).toThrow(
      new TypeError(
        `createManagement: basePath: expected ${path}, received "a"; health.showDetails: expected ` +
          `${audience}, received 1; unknown option "bassPath"; did you mean "basePath"?`,
      ),
    )
  })

  it('rejects an invalid indicator, an invalid duration and an unknown member of a group', () => {
    expect(() => create({ health: { indicators: { db: undefined } } })).toThrow(
      new TypeError(
        'createManagement: health.indicators.db: expected a function, { check }, { state } or ' +
          '{ indicators }, received undefined',
      ),
    )
    expect(() => create({ health: { indicators: { db: { check: up, timeout: '5 s' } } } })).toThrow(
      new RangeError(
        'createManagement: health.indicators.db.timeout: expected a duration such as "5s", received "5 s"',
      ),
    )
    expect(() => create({ health: { groups: { readiness: { include: ['db'] } } } })).toThrow(
      new RangeError(
        'createManagement: health.groups.readiness.include: expected components of livenessState, ' +
          'readinessState, received "db"',
      ),
    )
  })
})
