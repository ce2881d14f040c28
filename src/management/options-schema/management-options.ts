import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { parseDuration } from '../../base/duration.ts'
import { withForeignNames } from '../../base/option-errors.ts'
import type { Report } from '../../base/report.ts'
import type { Authorize } from '../../http/authorize.ts'
import type { ObservationOptions } from '../../instrumentation/observation.ts'
import { conventionNames } from '../../metrics/convention-name.ts'
import type { HeapDumpOptions } from '../../watch/heap/heap-dump.ts'
import type { ProfileOptions } from '../../watch/profile/profile-options.ts'
import type { AuditFile } from '../audit-file.ts'
import type { InfoOptions } from '../info/info-contributors.ts'
import type { ManagementOptions, TracingOptions } from '../options.ts'
import { basePathGrammar } from '../plain-options.ts'
import { corsOptions } from './cors-options.ts'
import { consoleOptions, envOptions, httpExchangesOptions } from './diagnostics-options.ts'
import { accessOptions, endpointOptions, pathsOptions } from './endpoint-options.ts'
import { managementForeignNames, tracingForeignNames } from './foreign-names.ts'
import { healthOptions } from './health-options.ts'
import { metricsOptions } from './metrics-options.ts'
import { caches, loggerGroups, sbom, scheduledTasks, ssl } from './operation-options.ts'
import { recorderSchema } from './recorder-schema.ts'
import { requirements } from './requirements.ts'
import { anObject, countValue, duration, flag, functionValue, oneOf, type Shape, stringValue } from './values.ts'

/** A function for each member of `ManagementOptions` that returns the schema of its value. */
type Members = { readonly [Name in keyof Required<ManagementOptions>]: () => z.ZodMiniType }

/** What `ManagementOptions` have to be. */
interface ManagementOptionsRules {
  /**
   * Returns whether options are valid. Only the schemas of the members that are given are built: building all of them
   * takes a quarter of the time of the first `createManagement`.
   */
  isMetBy(options: unknown): boolean
  /** Returns the schema of all members, whose issues describe what is not valid. */
  schema(): z.ZodMiniType
}

/** Returns the rules of options; `ids` are the identifiers of all endpoints, the application's own included. */
export function managementOptions(ids: readonly [string, ...string[]]): ManagementOptionsRules {
  const members = membersOf(ids)
  const names = Object.keys(members) as (keyof Members)[]
  const built = new Map<string, z.ZodMiniType>()
  const schemaOf = (name: keyof Members): z.ZodMiniType => {
    const schema = built.get(name) ?? members[name]()
    built.set(name, schema)
    return schema
  }
  return {
    isMetBy(options) {
      if (typeof options !== 'object' || options === null || Array.isArray(options)) return false
      for (const name in options) if (!Object.hasOwn(members, name)) return false
      const given = options as ManagementOptions
      return (
        names.every((name) => given[name] === undefined || schemaOf(name).safeParse(given[name]).success) &&
        requirements().every(({ isMet }) => isMet(given))
      )
    },
    schema() {
      const shape = Object.fromEntries(names.map((name) => [name, z.optional(schemaOf(name))]))
      const checks = requirements().map(({ isMet, ...issue }) => z.refine<ManagementOptions>(isMet, issue))
      return withForeignNames(z.strictObject(shape, anObject).check(...checks), managementForeignNames)
    },
  }
}

function membersOf(ids: readonly [string, ...string[]]): Members {
  return {
    application: () => z.strictObject({ name: stringValue(), version: z.optional(stringValue()) }, '{ name, version }'),
    basePath,
    paths: pathsOptions,
    conventions: () => oneOf(conventionNames),
    endpoints: () => z.array(endpointOptions(), 'an array of endpoints'),
    expose: () => z.array(oneOf(ids), 'an array of endpoint ids'),
    access: () => accessOptions(ids),
    health: healthOptions,
    info: infoOptions,
    env: envOptions,
    httpExchanges: httpExchangesOptions,
    metrics: metricsOptions,
    observation: observationOptions,
    tracing: () => z.union([flag(), tracingOptions()], 'true, false or { probability, baggage }'),
    loggers,
    profile: profileOptions,
    logFile: stringValue,
    loggerGroups,
    scheduledTasks,
    caches,
    sbom,
    ssl,
    heapdump: heapDumpOptions,
    cors: corsOptions,
    recorder: recorderSchema,
    console: consoleOptions,
    authorize: () => functionValue<Authorize>('a function from a request to a principal'),
    audit: () =>
      z.union(
        [functionValue(), z.strictObject({ file: stringValue() } satisfies Shape<AuditFile>)],
        'a function of an audit event, or { file }',
      ),
    clock,
    report: () => functionValue<Report>('a function of a message and a cause'),
  }
}

function basePath() {
  return z.string('a path').check(z.regex(basePathGrammar, "'/' or a path such as '/management'"))
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
    anObject,
  )
}

function observationOptions(): z.ZodMiniType {
  return z.strictObject(
    {
      managementRequests: z.optional(flag()),
      redactPath: z.optional(functionValue('a function of a path and a template')),
    } satisfies Shape<ObservationOptions>,
    anObject,
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
    anObject,
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
