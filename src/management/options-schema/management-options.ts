import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { parseDuration } from '../../base/duration.ts'
import { withForeignNames } from '../../base/option-errors.ts'
import type { Report } from '../../base/report.ts'
import type { Authorize } from '../../http/authorize.ts'
import type { ObservationOptions } from '../../instrumentation/observation.ts'
import { conventionNames } from '../../metrics/convention-name.ts'
import type { HeapDumpOptions } from '../../watch/heap/heap-dump-options.ts'
import type { ProfileOptions } from '../../watch/profile/profile-options.ts'
import type { InfoOptions } from '../info/info-contributors.ts'
import type { ManagementOptions, TracingOptions } from '../options.ts'
import { corsOptions } from './cors-options.ts'
import { envOptions, httpExchangesOptions } from './diagnostics-options.ts'
import { accessOptions, endpointOptions, pathsOptions } from './endpoint-options.ts'
import { managementForeignNames, tracingForeignNames } from './foreign-names.ts'
import { healthOptions } from './health-options.ts'
import { metricsOptions } from './metrics-options.ts'
import { caches, loggerGroups, sbom, scheduledTasks, ssl } from './operation-options.ts'
import { recorderSchema } from './recorder-schema.ts'
import { countValue, duration, flag, functionValue, oneOf, type Shape, stringValue } from './values.ts'

/**
 * Returns the schema of `ManagementOptions`, with one function for each interface of options. `ids` are the identifiers
 * of all endpoints, the application's own included.
 */
export function managementOptions(ids: readonly [string, ...string[]]): z.ZodMiniType {
  const schema = z
    .strictObject(
      {
        application: z.optional(
          z.strictObject({ name: stringValue(), version: z.optional(stringValue()) }, '{ name, version }'),
        ),
        basePath: z.optional(basePath()),
        paths: z.optional(pathsOptions()),
        conventions: z.optional(oneOf(conventionNames)),
        endpoints: z.optional(z.array(endpointOptions(), 'an array of endpoints')),
        expose: z.optional(z.array(oneOf(ids), 'an array of endpoint ids')),
        access: z.optional(accessOptions(ids)),
        health: z.optional(healthOptions()),
        info: z.optional(infoOptions()),
        env: z.optional(envOptions()),
        httpExchanges: z.optional(httpExchangesOptions()),
        metrics: z.optional(metricsOptions()),
        observation: z.optional(observationOptions()),
        tracing: z.optional(z.union([flag(), tracingOptions()], 'true, false or { probability, baggage }')),
        loggers: z.optional(loggers()),
        profile: z.optional(profileOptions()),
        logFile: z.optional(stringValue()),
        loggerGroups: z.optional(loggerGroups()),
        scheduledTasks: z.optional(scheduledTasks()),
        caches: z.optional(caches()),
        sbom: z.optional(sbom()),
        ssl: z.optional(ssl()),
        heapdump: z.optional(heapDumpOptions()),
        cors: z.optional(corsOptions()),
        recorder: z.optional(recorderSchema()),
        authorize: z.optional(functionValue<Authorize>('a function from a request to a principal')),
        audit: z.optional(functionValue('a function of an audit event')),
        clock: z.optional(clock()),
        report: z.optional(functionValue<Report>('a function of a message and a cause')),
      } satisfies Shape<ManagementOptions>,
      'an object',
    )
    .check(
      z.refine(({ expose, loggers }) => loggers !== undefined || expose?.includes('loggers') !== true, {
        path: ['loggers'],
        message: 'logger.loggers, pinoLoggers(logger) or winstonLoggers(logger), because "loggers" is exposed',
      }),
      z.refine(({ expose, logFile }) => logFile !== undefined || expose?.includes('logfile') !== true, {
        path: ['logFile'],
        message: 'the path of a file, because "logfile" is exposed',
      }),
      z.refine(
        ({ expose, scheduledTasks }) => scheduledTasks !== undefined || expose?.includes('scheduledtasks') !== true,
        { path: ['scheduledTasks'], message: 'createScheduledTasks(), because "scheduledtasks" is exposed' },
      ),
      z.refine(({ expose, caches }) => caches !== undefined || expose?.includes('caches') !== true, {
        path: ['caches'],
        message: 'createCaches(), because "caches" is exposed',
      }),
      z.refine(({ expose, sbom: paths }) => paths !== undefined || expose?.includes('sbom') !== true, {
        path: ['sbom'],
        message: `{ application: 'sbom.cdx.json' }, because "sbom" is exposed`,
      }),
      z.refine(({ expose, recorder }) => recorder !== undefined || expose?.includes('captures') !== true, {
        path: ['recorder'],
        message: '{} or options of the flight recorder, because "captures" is exposed',
      }),
      z.refine(({ info, ssl: bundles }) => bundles !== undefined || info?.ssl !== true, {
        path: ['ssl'],
        message: 'sslBundles({ … }), because "info.ssl" is true',
      }),
    )
  return withForeignNames(schema, managementForeignNames)
}

function basePath() {
  const grammar = /^(\/|(\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+)$/
  return z.string('a path').check(z.regex(grammar, "'/' or a path such as '/management'"))
}

function infoOptions() {
  const part = z.optional(flag())
  return z.strictObject(
    {
      build: part,
      git: part,
      runtime: part,
      os: part,
      process: part,
      container: part,
      ssl: part,
      contributors: z.optional(z.array(functionValue(), 'an array of functions')),
    } satisfies Shape<InfoOptions>,
    'an object',
  )
}

function observationOptions(): z.ZodMiniType {
  return z.strictObject(
    {
      managementRequests: z.optional(flag()),
      redactPath: z.optional(functionValue('a function of a path and a template')),
    } satisfies Shape<ObservationOptions>,
    'an object',
  )
}

function heapDumpOptions() {
  const factor = 'a number from 1 to 100'
  return z.strictObject(
    {
      factor: z.optional(z.number(factor).check(z.gte(1, factor), z.lte(100, factor))),
      directory: z.optional(stringValue()),
      maximumBlock: z.optional(duration()),
    } satisfies Shape<HeapDumpOptions>,
    '{ factor, directory, maximumBlock }',
  )
}

function tracingOptions(): z.ZodMiniType {
  const share = 'a number from 0 to 1'
  const keys = z.optional(z.array(stringValue(), 'an array of keys of baggage'))
  const schema = z.strictObject({
    probability: z.optional(z.number(share).check(z.gte(0, share), z.lte(1, share))),
    baggage: z.optional(z.strictObject({ logFields: keys, spanAttributes: keys }, '{ logFields, spanAttributes }')),
  } satisfies Shape<TracingOptions>)
  return withForeignNames(schema, tracingForeignNames)
}

function profileOptions(): z.ZodMiniType {
  const atLeast = 'a duration of "0.1ms" or more'
  return z.strictObject(
    {
      interval: z.optional(duration().check(z.refine((value) => (parseDuration(value) ?? 0) >= 0.1, atLeast))),
      heapInterval: z.optional(countValue()),
      separateFunctions: z.optional(flag()),
    } satisfies Shape<ProfileOptions>,
    'an object',
  )
}

function loggers() {
  return z.looseObject(
    { names: functionValue(), level: functionValue(), configure: functionValue() },
    'loggers, such as pinoLoggers(logger)',
  )
}

function clock() {
  return z.looseObject(
    { wallTime: functionValue<Clock['wallTime']>(), monotonicTime: functionValue<Clock['monotonicTime']>() },
    'a clock: { wallTime, monotonicTime }',
  )
}
