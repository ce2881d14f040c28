import * as z from 'zod/mini'
import { parseDuration } from '../base/duration.ts'
import { endpointIds } from './endpoints/endpoint.ts'

const ownIndicators = ['livenessState', 'readinessState']

/** Returns the schema of the options of createManagement. Created on demand: at module level it would slow down each import. */
export function optionsSchema(): z.ZodMiniType {
  const optional = z.optional
  const oneOf = (values: readonly string[]) => `one of ${values.join(', ')}`
  const aFunction = (what: string) => z.custom((value) => typeof value === 'function', what)
  const anObject = (what: string) => z.custom((value) => typeof value === 'object' && value !== null, what)
  const text = z.string('a string').check(z.minLength(1, 'a non-empty string'))
  const flag = z.boolean('true or false')
  const names = z.array(text, 'an array of names')
  const audience = z.enum(['never', 'when-authorized', 'always'], oneOf(['never', 'when-authorized', 'always']))
  const withContent = 'a status from 200 to 599, other than 204, 205 and 304, which have no content'
  const httpStatus = z.int('a whole number').check(
    z.gte(200, withContent),
    z.lte(599, withContent),
    z.refine((status) => ![204, 205, 304].includes(status), withContent),
  )

  const aDuration = 'a duration such as "5s" of more than 0'
  const duration = z.string(aDuration).check(z.refine((value) => (parseDuration(value) ?? 0) > 0, aDuration))
  const share = 'a number from 0 to 1'
  const tag = z.union([z.string(), z.number(), z.boolean()], 'a string, a number or a boolean')
  const tags = z.record(z.string(), tag, 'an object of tags')
  const count = 'a whole number of 1 or more'
  const limit = `${count}, or Infinity`
  const limitedOrNot = z.union([z.int().check(z.gte(1, limit)), z.literal(Number.POSITIVE_INFINITY)], limit)

  const someRoles = "an array of roles, such as ['ops']"
  const roles = z.array(text, someRoles).check(z.minLength(1, someRoles))
  const access = z.union(
    [z.enum(['public', 'authorized', 'none']), z.strictObject({ roles })],
    "'public', 'authorized', 'none' or { roles: ['ops'] }",
  )
  const accesses = Object.fromEntries([...endpointIds, '*'].map((id) => [id, optional(access)]))

  const view = {
    order: optional(z.array(text, 'an array of statuses')),
    httpMapping: optional(z.record(text, httpStatus, 'an object of HTTP statuses by status, such as { DOWN: 503 }')),
    showDetails: optional(audience),
    showComponents: optional(audience),
    roles: optional(roles),
  }
  const groupName = text.check(z.regex(/^[^/]+$/, 'names without a slash'))
  const group = z.strictObject({ ...view, include: optional(names), exclude: optional(names) }, 'an object')

  return z
    .strictObject(
      {
        application: optional(z.strictObject({ name: text, version: optional(text) }, '{ name, version }')),
        basePath: optional(
          z
            .string('a path')
            .check(z.regex(/^(\/|(\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+)$/, "'/' or a path such as '/management'")),
        ),
        expose: optional(z.array(z.enum(endpointIds, oneOf(endpointIds)), 'an array of endpoint ids')),
        access: optional(z.strictObject(accesses, 'an object of access rules by endpoint id')),
        health: optional(
          z.strictObject(
            {
              ...view,
              indicators: optional(
                anObject('an object of health indicators by name').check(
                  z.refine(
                    (indicators) => !ownIndicators.some((name) => Object.hasOwn(indicators as object, name)),
                    `names other than ${ownIndicators.join(' and ')}, which are defined by upkeep`,
                  ),
                ),
              ),
              groups: optional(z.record(groupName, group, 'an object of groups by name')),
              concurrency: optional(limitedOrNot),
              slowCheck: optional(duration),
            },
            'an object',
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
              contributors: optional(z.array(aFunction('a function'), 'an array of functions')),
            },
            'an object',
          ),
        ),
        metrics: optional(
          z.strictObject(
            {
              commonTags: optional(tags),
              sources: optional(z.array(anObject('a source of meters'), 'an array of sources of meters')),
              filters: optional(z.array(anObject('a meter filter'), 'an array of meter filters')),
              maximumSeriesPerMeter: optional(limitedOrNot),
              window: optional(
                z.strictObject(
                  { rotations: optional(z.int(count).check(z.gte(1, count))), rotation: optional(duration) },
                  'an object',
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
                  'an object of durations by kind of meter',
                ),
              ),
              createdTimestamps: optional(flag),
              exemplar: optional(aFunction('a function that returns the current trace')),
              runtime: optional(
                z.union(
                  [flag, z.strictObject({ prefix: optional(z.enum(['jvm', 'nodejs'])), path: optional(text) })],
                  "true, false or { prefix: 'jvm' | 'nodejs', path }",
                ),
              ),
            },
            'an object',
          ),
        ),
        loggers: optional(
          z.looseObject(
            { names: aFunction('a function'), level: aFunction('a function'), configure: aFunction('a function') },
            'loggers, such as pinoLoggers(logger)',
          ),
        ),
        observation: optional(
          z.strictObject(
            {
              managementRequests: optional(flag),
              redactPath: optional(aFunction('a function of a path and a template')),
            },
            'an object',
          ),
        ),
        tracing: optional(
          z.union(
            [flag, z.strictObject({ probability: optional(z.number(share).check(z.gte(0, share), z.lte(1, share))) })],
            'true, false or { probability } from 0 to 1',
          ),
        ),
        authorize: optional(aFunction('a function from a request to a principal')),
        clock: optional(
          z.looseObject(
            { wallTime: aFunction('a function'), monotonicTime: aFunction('a function') },
            'a clock: { wallTime, monotonicTime }',
          ),
        ),
        report: optional(aFunction('a function of a message and a cause')),
      },
      'an object',
    )
    .check(
      z.refine(({ expose, loggers }) => loggers !== undefined || expose?.includes('loggers') !== true, {
        path: ['loggers'],
        message: 'logger.loggers, pinoLoggers(logger) or winstonLoggers(logger), because "loggers" is exposed',
      }),
    )
}
