import * as z from 'zod/mini'
import { parseDuration } from '../base/duration.ts'
import { endpointIds } from './endpoints/endpoint.ts'

const ownIndicators = ['livenessState', 'readinessState']

/** What the options of createManagement may be. Built when it is needed: at module level it would cost every import. */
export function optionsSchema(): z.ZodMiniType {
  const optional = z.optional
  const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`
  const aFunction = (what: string) => z.custom((value) => typeof value === 'function', `must be ${what}`)
  const anObject = (what: string) => z.custom((value) => typeof value === 'object' && value !== null, `must be ${what}`)
  const text = z.string('must be a text').check(z.minLength(1, 'must be a text that is not empty'))
  const flag = z.boolean('must be true or false')
  const names = z.array(text, 'must be a list of names')
  const audience = z.enum(['never', 'when-authorized', 'always'], oneOf(['never', 'when-authorized', 'always']))
  const withContent = 'must be from 200 to 599, and none of 204, 205 and 304, which have no content'
  const httpStatus = z.int('must be a whole number').check(
    z.gte(200, withContent),
    z.lte(599, withContent),
    z.refine((status) => ![204, 205, 304].includes(status), withContent),
  )

  const aDuration = "must be a duration such as '5s', and not nothing"
  const duration = z.string(aDuration).check(z.refine((value) => (parseDuration(value) ?? 0) > 0, aDuration))
  const share = 'must be a number from 0 to 1'
  const tag = z.union([z.string(), z.number(), z.boolean()], 'must be a string, a number or a boolean')
  const tags = z.record(z.string(), tag, 'must be an object of tags')
  const count = 'must be a whole number of 1 or more'
  const limit = `${count}, or Infinity`
  const limitedOrNot = z.union([z.int().check(z.gte(1, limit)), z.literal(Number.POSITIVE_INFINITY)], limit)

  const someRoles = "must be a list of roles, such as ['ops']"
  const roles = z.array(text, someRoles).check(z.minLength(1, someRoles))
  const access = z.union(
    [z.enum(['public', 'authorized', 'none']), z.strictObject({ roles })],
    "must be 'public', 'authorized', 'none' or { roles: ['ops'] }",
  )
  const accesses = Object.fromEntries([...endpointIds, '*'].map((id) => [id, optional(access)]))

  const view = {
    order: optional(z.array(text, 'must be a list of statuses')),
    httpMapping: optional(z.record(text, httpStatus, 'must map statuses to HTTP statuses, such as { DOWN: 503 }')),
    showDetails: optional(audience),
    showComponents: optional(audience),
    roles: optional(roles),
  }
  const groupName = text.check(z.regex(/^[^/]+$/, 'must be a name without a slash'))
  const group = z.strictObject({ ...view, include: optional(names), exclude: optional(names) }, 'must be an object')

  return z
    .strictObject(
      {
        application: optional(z.strictObject({ name: text, version: optional(text) }, 'must be { name, version }')),
        basePath: optional(
          z
            .string('must be a path')
            .check(
              z.regex(/^(\/|(\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+)$/, "must be '/' or a path such as '/management'"),
            ),
        ),
        expose: optional(z.array(z.enum(endpointIds, oneOf(endpointIds)), 'must be a list of endpoint ids')),
        access: optional(z.strictObject(accesses, 'must be an object of accesses by endpoint id')),
        health: optional(
          z.strictObject(
            {
              ...view,
              indicators: optional(
                anObject('an object of health indicators by name').check(
                  z.refine(
                    (indicators) => !ownIndicators.some((name) => Object.hasOwn(indicators as object, name)),
                    `must leave ${ownIndicators.join(' and ')} to the application's availability`,
                  ),
                ),
              ),
              groups: optional(z.record(groupName, group, 'must be an object of groups by name')),
              concurrency: optional(limitedOrNot),
              slowCheck: optional(duration),
            },
            'must be an object',
          ),
        ),
        info: optional(
          z.strictObject(
            {
              build: optional(flag),
              git: optional(flag),
              runtime: optional(flag),
              os: optional(flag),
              process: optional(flag),
              contributors: optional(z.array(aFunction('a function'), 'must be a list of functions')),
            },
            'must be an object',
          ),
        ),
        metrics: optional(
          z.strictObject(
            {
              commonTags: optional(tags),
              sources: optional(z.array(anObject('a source of meters'), 'must be a list of sources of meters')),
              filters: optional(z.array(anObject('a meter filter'), 'must be a list of meter filters')),
              maximumSeriesPerMeter: optional(limitedOrNot),
              window: optional(
                z.strictObject(
                  { rotations: optional(z.int(count).check(z.gte(1, count))), rotation: optional(duration) },
                  'must be an object',
                ),
              ),
              expireAfter: optional(
                z.strictObject(
                  {
                    counter: optional(duration),
                    timer: optional(duration),
                    summary: optional(duration),
                    longTaskTimer: optional(duration),
                  },
                  'must be an object of durations by kind of meter',
                ),
              ),
              createdTimestamps: optional(flag),
              exemplar: optional(aFunction('a function that tells the trace that is going on')),
              runtime: optional(
                z.union(
                  [flag, z.strictObject({ prefix: optional(z.enum(['jvm', 'nodejs'])), path: optional(text) })],
                  "must be true, false or { prefix: 'jvm' | 'nodejs', path }",
                ),
              ),
            },
            'must be an object',
          ),
        ),
        loggers: optional(
          z.looseObject(
            { names: aFunction('a function'), level: aFunction('a function'), configure: aFunction('a function') },
            'must be loggers, such as pinoLoggers(logger)',
          ),
        ),
        observation: optional(
          z.strictObject(
            {
              managementRequests: optional(flag),
              redactPath: optional(aFunction('a function of a path and a template')),
            },
            'must be an object',
          ),
        ),
        tracing: optional(
          z.union(
            [flag, z.strictObject({ probability: optional(z.number(share).check(z.gte(0, share), z.lte(1, share))) })],
            'must be true, false or { probability } of 0 to 1',
          ),
        ),
        authorize: optional(aFunction('a function from a request to a principal')),
        clock: optional(
          z.looseObject(
            { wallTime: aFunction('a function'), monotonicTime: aFunction('a function') },
            'must be a clock: { wallTime, monotonicTime }',
          ),
        ),
        report: optional(aFunction('a function of a message and a cause')),
      },
      'must be an object',
    )
    .check(
      z.refine(({ expose, loggers }) => loggers !== undefined || expose?.includes('loggers') !== true, {
        path: ['loggers'],
        message: 'must be given where it is exposed: logger.loggers, pinoLoggers(logger) or winstonLoggers(logger)',
      }),
    )
}
