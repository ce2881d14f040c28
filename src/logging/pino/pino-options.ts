import { type Clock, systemClock } from '../../base/clock.ts'
import { recordLevel } from '../levels/level.ts'
import { rootName } from '../levels/loggers.ts'
import { type LoggingApplication, serviceName, type TraceFields, traceFields } from '../record.ts'
import { threadName } from '../thread-name.ts'
import { createTimestamp } from '../timestamp.ts'
import { noteRecord } from './pino-events.ts'
import { PinoFamily, type PinoLogger } from './pino-family.ts'

/** Options of `pinoOptions` that are not those of `pino()`. */
export interface PinoRecordOptions {
  /** The application that logs. */
  readonly application: LoggingApplication
  /** @default the system's */
  readonly clock?: Clock | undefined
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
  readonly mixin: PinoCallback<[mergeObject: object, level: number, logger: unknown], TraceFields>
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
 * @throws TypeError if the application has no name, or with `transport.targets`, which require numeric levels.
 */
export function pinoOptions<const O extends object = Record<never, never>>(
  record: PinoRecordOptions,
  options?: O & PinoUserOptions,
): Omit<O, keyof PinoRecordShape | 'name'> & PinoRecordShape
export function pinoOptions(
  { application, clock = systemClock }: PinoRecordOptions,
  options?: PinoUserOptions,
): PinoRecordShape {
  const { name = rootName, base, mixin, formatters = {}, onChild, ...others }: PinoUserOptions = options ?? {}
  rejectTargets(others.transport)
  const service = serviceName(application, 'pinoOptions')
  const timestamp = createTimestamp(clock, ',"timestamp":"', '"')
  const family = new PinoFamily()
  const isNested = others.nestedKey !== undefined
  const own = { logger: name, 'service.name': service, thread: threadName() }
  const shape: PinoRecordShape = {
    messageKey: 'message',
    timestamp: isNested ? () => timestamp() + fragmentOf(traceFields()) : timestamp,
    base: { ...own, ...base, ...own },
    // Mixed-in fields would be below the nested key: then the ids are written after the timestamp.
    mixin: isNested ? withRecord(mixin ?? noFields) : mixin === undefined ? pinoTraceMixin : withTraceFields(mixin),
    formatters: {
      ...(formatters.log && { log: formatters.log }),
      bindings: (bindings) => ({ ...own, ...(formatters.bindings?.(bindings) ?? bindings), ...own }),
      level: (label, number) => ({ ...formatters.level?.(label, number), level: recordLevel(label) }),
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

/**
 * A `mixin` for `pino()` that adds the ids of the current trace, and changes nothing else: `pino({ mixin:
 * pinoTraceMixin })`. Fields of the application take precedence. Connects the logger to log sinks and to the counters
 * `logback.events`.
 */
export function pinoTraceMixin(_mergeObject: object, level: number, logger: unknown): TraceFields {
  noteRecord(level, logger)
  return traceFields()
}

/** Fields of the application's mixin take precedence over those of upkeep, as the fields of a record do over both. */
function withTraceFields(mixin: NonNullable<PinoUserOptions['mixin']>): PinoRecordShape['mixin'] {
  return withRecord((mergeObject, level, logger) => Object.assign(traceFields(), mixin(mergeObject, level, logger)))
}

function withRecord(mixin: NonNullable<PinoUserOptions['mixin']>): PinoRecordShape['mixin'] {
  return (mergeObject: object, level: number, logger: PinoLogger) => {
    noteRecord(level, logger)
    return mixin(mergeObject, level, logger)
  }
}

function noFields(): object {
  return {}
}

function fragmentOf({ trace_id, span_id, trace_flags }: TraceFields): string {
  return trace_id === undefined ? '' : `,"trace_id":"${trace_id}","span_id":"${span_id}","trace_flags":"${trace_flags}"`
}

function rejectTargets(transport: unknown): void {
  if (typeof transport !== 'object' || transport === null || !('targets' in transport)) return
  throw new TypeError(
    'pinoOptions: transport: expected one target or a pipeline, received targets, which require numeric levels; ' +
      'use pino.multistream to write to several destinations',
  )
}
