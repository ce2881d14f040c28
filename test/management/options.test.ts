import type { ManagementOptions } from 'upkeep'
import { createManagement } from 'upkeep'
import { describe, expect, it } from 'vitest'

const create = (options: unknown) => createManagement(options as ManagementOptions)
const up = () => 'UP'
const knowNobody = () => undefined
const audience = 'must be one of never, when-authorized, always'
const path = "must be '/' or a path such as '/management'"
const status = 'must be a status from 200 to 599 with content, not 204, 205 or 304'

const count = 'must be a whole number of 1 or more'
const duration = "must be a duration such as '5s', of more than zero"
const runtime = "must be true, false or { prefix: 'jvm' | 'nodejs', path }"

const access = "must be 'public', 'authorized', 'none', { roles: ['ops'] } or { read, write } of these"
const unguarded = 'expected "public" or "none" without the option "authorize"'

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
    [{ authorize: knowNobody, report: () => {}, clock: { wallTime: () => 0, monotonicTime: () => 0 } }],
    [{ access: { health: 'public', info: 'none', '*': 'none', metrics: undefined } }],
    [{ access: { health: 'public', metrics: 'authorized', '*': { roles: ['ops'] } }, authorize: knowNobody }],
    [{ access: { loggers: { read: 'public', write: { roles: ['ops'] } } }, authorize: knowNobody }],
    [{ access: { loggers: { write: 'none' } } }],
    [{ health: { roles: ['ops', 'dev'], groups: { liveness: { roles: ['ops'] } } } }],
  ])('takes %j', (options) => {
    expect(typeof create(options)).toBe('function')
  })

  it.each([
    [null, 'options must be an object, not null'],
    [5, 'options must be an object, not 5'],
    [{ bassPath: '/' }, 'bassPath is no option that there is'],
    [{ application: {} }, 'application.name must be a string, not undefined'],
    [{ application: 'orders' }, 'application must be { name, version }, not "orders"'],
    [{ application: { name: '' } }, 'application.name must be a string that is not empty, not ""'],
    [{ application: { name: 'orders', version: 1 } }, 'application.version must be a string, not 1'],
    [{ basePath: 'management' }, `basePath ${path}, not "management"`],
    [{ basePath: '' }, `basePath ${path}, not ""`],
    [{ basePath: '/management/' }, `basePath ${path}, not "/management/"`],
    [{ basePath: '//management' }, `basePath ${path}, not "//management"`],
    [{ basePath: '/a/../b' }, `basePath ${path}, not "/a/../b"`],
    [{ basePath: '/a/.' }, `basePath ${path}, not "/a/."`],
    [{ basePath: '/a?b' }, `basePath ${path}, not "/a?b"`],
    [{ basePath: '/%6d' }, `basePath ${path}, not "/%6d"`],
    [{ basePath: '/{*path}' }, `basePath ${path}, not "/{*path}"`],
    [{ basePath: '/a\n' }, `basePath ${path}, not "/a\\n"`],
    [{ basePath: /a/ }, 'basePath must be a path, not an object'],
    [{ expose: 'health' }, 'expose must be a list of endpoint ids, not "health"'],
    [
      { expose: ['health', 'helth'] },
      'expose[1] must be one of health, info, metrics, prometheus, loggers, not "helth"',
    ],
    [{ expose: [1n] }, 'expose[0] must be one of health, info, metrics, prometheus, loggers, not 1'],
    [{ expose: [circle] }, 'expose[0] must be one of health, info, metrics, prometheus, loggers, not an object'],
    [{ access: 'public' }, 'access must be an object of accesses by endpoint id, not "public"'],
    [{ access: { metrics: 'admin' } }, `access.metrics ${access}, not "admin"`],
    [{ access: { '*': true } }, `access.* ${access}, not true`],
    [{ access: { info: { roles: [] } } }, `access.info ${access}, not an object`],
    [{ access: { info: { roles: 'ops' } } }, `access.info ${access}, not an object`],
    [{ access: { info: { role: 'ops' } } }, `access.info ${access}, not an object`],
    [{ access: { metrics: 'authorized' } }, `access.metrics: ${unguarded}, received "authorized"`],
    [{ access: { '*': { roles: ['ops'] } } }, `access.*: ${unguarded}, received an object`],
    [{ health: { roles: [] } }, "health.roles must be a list of roles, such as ['ops'], not a list"],
    [{ health: { roles: 'ops' } }, `health.roles must be a list of roles, such as ['ops'], not "ops"`],
    [{ access: { helth: 'none' } }, 'access.helth is no option that there is'],
    [{ health: [] }, 'health must be an object, not a list'],
    [
      { health: { indicators: up } },
      'health.indicators must be an object of health indicators by name, not a function',
    ],
    [
      { health: { indicators: { livenessState: up } } },
      'health.indicators must not contain livenessState and readinessState, which are the availability of the application, not an object',
    ],
    [{ health: { order: 'DOWN' } }, 'health.order must be a list of statuses, not "DOWN"'],
    [{ health: { order: [1] } }, 'health.order[0] must be a string, not 1'],
    [{ health: { httpMapping: { DOWN: '503' } } }, 'health.httpMapping.DOWN must be a whole number, not "503"'],
    [{ health: { httpMapping: { DOWN: 199 } } }, `health.httpMapping.DOWN ${status}, not 199`],
    [{ health: { httpMapping: { DOWN: 600 } } }, `health.httpMapping.DOWN ${status}, not 600`],
    [{ health: { httpMapping: { UP: 204 } } }, `health.httpMapping.UP ${status}, not 204`],
    [{ health: { httpMapping: { '': 503 } } }, 'health.httpMapping. must be a string that is not empty'],
    [{ health: { showDetails: true } }, `health.showDetails ${audience}, not true`],
    [{ health: { showComponents: 'authorized' } }, `health.showComponents ${audience}, not "authorized"`],
    [{ health: { groups: [] } }, 'health.groups must be an object of groups by name, not a list'],
    [{ health: { groups: { 'a/b': {} } } }, 'health.groups.a/b must be a name without a slash'],
    [{ health: { groups: { a: undefined } } }, 'health.groups.a must be an object, not undefined'],
    [{ health: { groups: { a: { include: 'db' } } } }, 'health.groups.a.include must be a list of names, not "db"'],
    [{ health: { groups: { a: { inclde: [] } } } }, 'health.groups.a.inclde is no option that there is'],
    [{ health: { concurrency: 0 } }, `health.concurrency ${count}, or Infinity, not 0`],
    [{ health: { concurrency: 1.5 } }, `health.concurrency ${count}, or Infinity, not 1.5`],
    [{ health: { slowCheck: 1000 } }, `health.slowCheck ${duration}, not 1000`],
    [{ health: { slowCheck: '0s' } }, `health.slowCheck ${duration}, not "0s"`],
    [{ info: { git: 'full' } }, 'info.git must be true or false, not "full"'],
    [{ info: { contributors: [{}] } }, 'info.contributors[0] must be a function, not an object'],
    [{ metrics: null }, 'metrics must be an object, not null'],
    [{ metrics: { comonTags: {} } }, 'metrics.comonTags is no option that there is'],
    [{ metrics: { clock: {} } }, 'metrics.clock is no option that there is'],
    [{ metrics: { commonTags: [] } }, 'metrics.commonTags must be an object of tags, not a list'],
    [
      { metrics: { commonTags: { a: null } } },
      'metrics.commonTags.a must be a string, a number or a boolean, not null',
    ],
    [{ metrics: { createdTimestamps: 1 } }, 'metrics.createdTimestamps must be true or false, not 1'],
    [{ metrics: { filters: {} } }, 'metrics.filters must be a list of meter filters, not an object'],
    [{ metrics: { filters: ['deny'] } }, 'metrics.filters[0] must be a meter filter, not "deny"'],
    [{ metrics: { maximumSeriesPerMeter: 0 } }, `metrics.maximumSeriesPerMeter ${count}, or Infinity, not 0`],
    [{ metrics: { maximumSeriesPerMeter: 1.5 } }, `metrics.maximumSeriesPerMeter ${count}, or Infinity, not 1.5`],
    [{ metrics: { maximumSeriesPerMeter: '9' } }, `metrics.maximumSeriesPerMeter ${count}, or Infinity, not "9"`],
    [{ metrics: { window: '1m' } }, 'metrics.window must be an object, not "1m"'],
    [{ metrics: { window: { rotations: 0 } } }, `metrics.window.rotations ${count}, not 0`],
    [{ metrics: { window: { rotations: 1.5 } } }, `metrics.window.rotations ${count}, not 1.5`],
    [{ metrics: { window: { rotation: 60 } } }, `metrics.window.rotation ${duration}, not 60`],
    [{ metrics: { window: { rotation: '0s' } } }, `metrics.window.rotation ${duration}, not "0s"`],
    [
      { metrics: { expireAfter: '5m' } },
      'metrics.expireAfter must be an object of durations by kind of meter, not "5m"',
    ],
    [{ metrics: { expireAfter: { gauge: '5m' } } }, 'metrics.expireAfter.gauge is no option that there is'],
    [{ metrics: { expireAfter: { counter: '5 m' } } }, `metrics.expireAfter.counter ${duration}, not "5 m"`],
    [{ metrics: { expireAfter: { counter: '0s' } } }, `metrics.expireAfter.counter ${duration}, not "0s"`],
    [
      { metrics: { exemplar: {} } },
      'metrics.exemplar must be a function that returns the current trace, not an object',
    ],
    [{ metrics: { runtime: 'jvm' } }, `metrics.runtime ${runtime}, not "jvm"`],
    [{ metrics: { runtime: { prefix: 'java' } } }, `metrics.runtime ${runtime}, not an object`],
    [{ metrics: { runtime: { paht: '/' } } }, 'metrics.runtime.paht is no option that there is'],
    [{ metrics: { runtime: { path: '' } } }, 'metrics.runtime.path must be a string that is not empty, not ""'],
    [{ tracing: 0.1 }, 'tracing must be true, false or { probability } of 0 to 1, not 0.1'],
    [{ tracing: { probability: '1' } }, 'tracing must be true, false or { probability } of 0 to 1, not an object'],
    [{ tracing: { probability: 1.1 } }, 'tracing.probability must be a number from 0 to 1, not 1.1'],
    [
      { tracing: { probability: Number.NaN } },
      'tracing must be true, false or { probability } of 0 to 1, not an object',
    ],
    [{ tracing: { sampler: 1 } }, 'tracing.sampler is no option that there is'],
    [{ authorize: 'the-token' }, 'authorize must be a function from a request to a principal, not a string'],
    [{ authorize: { token: 'x' } }, 'authorize must be a function from a request to a principal, not an object'],
    [{ clock: 5 }, 'clock must be a clock: { wallTime, monotonicTime }, not 5'],
    [{ clock: { wallTime: () => 0 } }, 'clock.monotonicTime must be a function, not undefined'],
    [{ loggers: 'pino' }, 'loggers must be loggers, such as pinoLoggers(logger), not "pino"'],
    [{ report: console }, 'report must be a function of a message and a cause, not an object'],
  ])('refuses case %#, naming the option and what it may be', (options, fault) => {
    expect(() => create(options)).toThrow(new TypeError(`createManagement: ${fault}`))
  })

  it('names every option that is not what it may be', () => {
    expect(() => create({ basePath: 'a', health: { showDetails: 1 }, other: 2 })).toThrow(
      new TypeError(
        `createManagement: basePath ${path}, not "a"; health.showDetails ${audience}, not 1; other is no option that there is`,
      ),
    )
  })

  it('refuses an indicator, a duration and a member that there is not', () => {
    expect(() => create({ health: { indicators: { db: undefined } } })).toThrow(
      new TypeError('The health indicator "db" must be a function, { check }, { state } or { indicators }'),
    )
    expect(() => create({ health: { indicators: { db: { check: up, timeout: '5 s' } } } })).toThrow(
      new RangeError(
        `The timeout of the health indicator db must be a duration such as '500ms', '5s' or '1m', not "5 s"`,
      ),
    )
    expect(() => create({ health: { groups: { readiness: { include: ['db'] } } } })).toThrow(
      new RangeError(
        'The health group "readiness" names "db", which is no component; there are: livenessState, readinessState',
      ),
    )
  })
})
