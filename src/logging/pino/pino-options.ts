import { type Clock, systemClock } from '../../base/clock.ts'
import { invalidOption } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import { ecsProcessFields, isEcs, withEcsObjects } from '../ecs-record.ts'
import { recordLevel } from '../levels/level.ts'
import { rootName } from '../levels/loggers.ts'
import { ecsTraceFields, type LoggingApplication, serviceName, type TraceFields, traceFields } from '../record.ts'
import { threadName } from '../thread-name.ts'
import { createTimestamp } from '../timestamp.ts'
import { noteRecord } from './pino-events.ts'
import { PinoFamily, type PinoLogger } from './pino-family.ts'

/** Options of `pinoOptions` that are not those of `pino()`. */
export interface PinoRecordOptions {
  /** The application that logs. */
  readonly application: LoggingApplication
  /** `ecs`: with the fields of the Elastic Common Schema. @default 'json' */
  readonly format?: 'json' | 'ecs' | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

const second = (option: string) => `write pinoOptions({ application }, { ${option} })`

/** What others call these options, and options of `pino()`, which are the second argument. */
const foreignNames: ForeignNames = {
  serviceName: 'application.name',
  level: second('level'),
  transport: second('transport'),
}

/** A function with bivariant parameters, like those of a method: its logger may have the type that pino declares. */
export type PinoCallback<Parameters extends readonly unknown[], Result> = {
  method(...parameters: Parameters): Result
}['method']

/** The options of `pino()` that upkeep reads or extends. */
export interface PinoUserOptions {
  readonly name?: string | undefined
  readonly base?: Readonly<Record<string, unknown>> | null | undefined
  readonly nestedKey?: string | undefined
  readonly errorKey?: string | undefined
  readonly transport?: unknown
  readonly mixin?: PinoCallback<[mergeObject: object, level: number, logger: PinoLogger], object> | undefined
  readonly formatters?:
    | {
        readonly level?: ((label: string, number: number) => object) | undefined
        readonly bindings?: ((bindings: Record<string, unknown>) => object) | undefined
        readonly log?: ((object: Record<string, unknown>) => Record<string, unknown>) | undefined
      }
    | undefined
  readonly onChild?: PinoCallback<[child: PinoLogger], void> | undefined
}

/** The options of `pino()` that define the shape of a record. */
export interface PinoRecordShape {
  readonly messageKey: string
  readonly timestamp: () => string
  readonly base: Record<string, unknown>
  readonly mixin: PinoCallback<[mergeObject: object, level: number, logger: unknown], object>
  readonly formatters: {
    readonly level: (label: string, number: number) => object
    readonly bindings: (bindings: Record<string, unknown>) => object
    readonly log?: (object: Record<string, unknown>) => Record<string, unknown>
  }
  readonly onChild: PinoCallback<[child: unknown], void>
}

/** The property with which `pinoLoggers` finds the children of a logger. */
export const familyOf: unique symbol = Symbol.for('upkeep.pino.family')

/**
 * Returns options of `pino()` for records in the shape of upkeep, with the ids of the current trace, from the options
 * of the application: `pino(pinoOptions({ application }, { level: 'debug' }))`. Its `mixin`, `formatters`, `base` and
 * `onChild` are still called; for the shape (`timestamp`, `level`, `messageKey`, `base`) those of upkeep take
 * precedence. The name of the logger is `name`, by default `ROOT`, that of a child the `logger` in `child({ logger:
 * 'orders.db' })`.
 *
 * @throws TypeError if the application has no name, or with `transport.targets`, which require numeric levels;
 * RangeError if the format is unknown.
 */
export function pinoOptions<const O extends object = Record<never, never>>(
  record: PinoRecordOptions,
  options?: O & PinoUserOptions,
): Omit<O, keyof PinoRecordShape | 'name'> & PinoRecordShape
export function pinoOptions(record: PinoRecordOptions, options?: PinoUserOptions): PinoRecordShape {
  requireKnownOptions('pinoOptions', record, ['application', 'format', 'clock'], { foreignNames })
  const { application, format = 'json', clock = systemClock } = record
  const { name = rootName, base, mixin, formatters = {}, onChild, ...others }: PinoUserOptions = options ?? {}
  rejectTargets(others.transport)
  serviceName(application, 'pinoOptions')
  const isInEcs = isEcs(format, 'pinoOptions')
  const { own, timeField, loggerField, level, ids, log } = isInEcs
    ? ecsFields(application, name, others.errorKey)
    : upkeepFields(application, name)
  const timestamp = createTimestamp(clock, `,"${timeField}":"`, '"')
  const family = new PinoFamily(loggerField)
  const isNested = others.nestedKey !== undefined
  const formatLog = log === undefined ? formatters.log : chain(formatters.log, log)
  const shape: PinoRecordShape = {
    messageKey: 'message',
    timestamp: isNested ? () => timestamp() + fragmentOf(ids()) : timestamp,
    base: { ...own, ...base, ...own },
    // Mixed-in fields would be below the nested key: then the ids are written after the timestamp.
    mixin: withRecord(isNested ? (mixin ?? noFields) : mixin === undefined ? ids : withIds(ids, mixin)),
    formatters: {
      ...(formatLog && { log: formatLog }),
      bindings: (bindings) => ({ ...own, ...(formatters.bindings?.(bindings) ?? bindings), ...own }),
      level: (label, number) => ({ ...formatters.level?.(label, number), ...level(label) }),
    },
    onChild: Object.assign(
      (child: PinoLogger) => {
        family.adopt(child)
        onChild?.(child)
      },
      { [familyOf]: family },
    ),
  }
  return { ...others, ...shape }
}

type Mixin = NonNullable<PinoUserOptions['mixin']>
type FormatLog = (object: Record<string, unknown>) => Record<string, unknown>

/** The fields of a format of records. */
interface FieldNames {
  /** The fields of all records of a logger. */
  readonly own: Record<string, unknown>
  readonly timeField: string
  readonly loggerField: string
  readonly level: (label: string) => object
  readonly ids: () => object
  readonly log?: FormatLog
}

function upkeepFields(application: LoggingApplication, name: string): FieldNames {
  return {
    own: { logger: name, 'service.name': application.name, thread: threadName() },
    timeField: 'timestamp',
    loggerField: 'logger',
    level: (label) => ({ level: recordLevel(label) }),
    ids: traceFields,
  }
}

function ecsFields(application: LoggingApplication, name: string, errorKey = 'err'): FieldNames {
  return {
    own: { ...(name !== rootName && { 'log.logger': name }), ...ecsProcessFields(application) },
    timeField: '@timestamp',
    loggerField: 'log.logger',
    level: (label) => ({ 'log.level': label }),
    ids: ecsTraceFields,
    log: (object) => withEcsObjects(object, errorKey),
  }
}

function chain(first: FormatLog | undefined, second: FormatLog): FormatLog {
  return first === undefined ? second : (object) => second(first(object))
}

/**
 * A `mixin` for `pino()` that adds the ids of the current trace, and changes nothing else: `pino({ mixin:
 * pinoTraceMixin })`. Fields of the application take precedence. Connects the logger to log sinks and to the counters
 * `logback.events`.
 */
export function pinoTraceMixin(_mergeObject: object, level: number, logger: unknown): TraceFields {
  noteRecord(level, logger)
  return traceFields()
}

/** Fields of the application's mixin take precedence over the ids, as the fields of a record do over both. */
function withIds(ids: () => object, mixin: Mixin): Mixin {
  return (mergeObject, level, logger) => Object.assign(ids(), mixin(mergeObject, level, logger))
}

function withRecord(mixin: Mixin): PinoRecordShape['mixin'] {
  return (mergeObject: object, level: number, logger: PinoLogger) => {
    noteRecord(level, logger)
    return mixin(mergeObject, level, logger)
  }
}

function noFields(): object {
  return {}
}

function fragmentOf(ids: object): string {
  let fragment = ''
  for (const [name, value] of Object.entries(ids)) fragment += `,${JSON.stringify(name)}:${JSON.stringify(value)}`
  return fragment
}

function rejectTargets(transport: unknown): void {
  if (typeof transport !== 'object' || transport === null || !('targets' in transport)) return
  throw invalidOption(
    'pinoOptions: transport: expected one target or a pipeline, received targets, which require numeric levels; ' +
      'use pino.multistream to write to several destinations',
  )
}
