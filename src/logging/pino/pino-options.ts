import { type Clock, systemClock } from '../../base/clock.ts'
import { levelText } from '../level-text.ts'
import { rootName } from '../levels/loggers.ts'
import { type LoggingApplication, serviceName, type TraceFields, traceFields } from '../record.ts'
import { threadName } from '../thread-name.ts'
import { createTimestamp } from '../timestamp.ts'
import { PinoFamily } from './pino-family.ts'
import type { PinoLogger } from './pino-logger.ts'

export interface PinoRecordOptions {
  readonly application: LoggingApplication
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** Of the options for `pino()` those that upkeep reads, or adds to. */
export interface PinoUserOptions {
  readonly name?: string | undefined
  readonly base?: Readonly<Record<string, unknown>> | null | undefined
  readonly nestedKey?: string | undefined
  readonly transport?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: the same function as pino's own options have it, with pino's own logger
  readonly mixin?: ((mergeObject: object, level: number, logger: any) => object) | undefined
  readonly formatters?:
    | {
        readonly level?: ((label: string, number: number) => object) | undefined
        readonly bindings?: ((bindings: Record<string, unknown>) => object) | undefined
        readonly log?: ((object: Record<string, unknown>) => Record<string, unknown>) | undefined
      }
    | undefined
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly onChild?: ((child: any) => void) | undefined
}

/** The options for `pino()` that make a record what it is. */
export interface PinoRecordShape {
  readonly messageKey: string
  readonly timestamp: () => string
  readonly base: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly mixin: (mergeObject: object, level: number, logger: any) => TraceFields
  readonly formatters: {
    readonly level: (label: string, number: number) => object
    readonly bindings: (bindings: Record<string, unknown>) => object
    readonly log?: (object: Record<string, unknown>) => Record<string, unknown>
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly onChild: (child: any) => void
}

/** Where `pinoLoggers` finds the children of a logger whose options these were. */
export const familyOf: unique symbol = Symbol.for('upkeep.pino.family') as never

/**
 * Options for `pino()` by which its records have upkeep's shape, with the ids of the trace that is going on, made of the
 * application's own ones: `pino(pinoOptions({ application }, { level: 'debug' }))`. Its `mixin`, `formatters`, `base` and
 * `onChild` go on to be used; in what makes the shape (`timestamp`, `level`, `messageKey`, `base`) upkeep has the last word.
 * The logger is called `ROOT`, or as `name` says, and a child as `child({ logger: 'orders.db' })` says.
 *
 * @throws TypeError when the application has no name, or with `transport.targets`, which tell levels by their numbers.
 */
export function pinoOptions<const O extends object = Record<never, never>>(
  { application, clock = systemClock }: PinoRecordOptions,
  options?: O & PinoUserOptions,
): Omit<O, keyof PinoRecordShape | 'name'> & PinoRecordShape {
  const { name = rootName, base, mixin, formatters = {}, onChild, ...others }: PinoUserOptions = options ?? {}
  refuseTargets(others.transport)
  const service = serviceName(application, 'pinoOptions')
  const timestamp = createTimestamp(clock, ',"timestamp":"', '"')
  const family = new PinoFamily()
  const isNested = others.nestedKey !== undefined
  const own = { logger: name, 'service.name': service, thread: threadName() }
  const shape: PinoRecordShape = {
    messageKey: 'message',
    timestamp: isNested ? () => timestamp() + fragmentOf(traceFields()) : timestamp,
    base: { ...own, ...base, ...own },
    // What is mixed in would end up below the nested key: then the ids go with the timestamp.
    mixin: isNested ? (mixin ?? noFields) : mixin === undefined ? traceFields : withUsers(mixin),
    formatters: {
      ...(formatters.log && { log: formatters.log }),
      bindings: (bindings) => ({ ...own, ...(formatters.bindings?.(bindings) ?? bindings), ...own }),
      level: (label, number) => ({ ...formatters.level?.(label, number), level: levelText(label) }),
    },
    onChild: Object.assign(
      (child: PinoLogger) => {
        family.adopt(child)
        onChild?.(child)
      },
      { [familyOf]: family },
    ),
  }
  // What pino is handed are its own options, only with some of them replaced.
  return { ...others, ...shape } as unknown as Omit<O, keyof PinoRecordShape | 'name'> & PinoRecordShape
}

/** What the application mixes in goes over what upkeep does, as the fields of a record go over both. */
function withUsers(mixin: NonNullable<PinoUserOptions['mixin']>): PinoRecordShape['mixin'] {
  return (mergeObject, level, logger) => Object.assign(traceFields(), mixin(mergeObject, level, logger))
}

function noFields(): object {
  return {}
}

function fragmentOf({ trace_id, span_id, trace_flags }: TraceFields): string {
  return trace_id === undefined ? '' : `,"trace_id":"${trace_id}","span_id":"${span_id}","trace_flags":"${trace_flags}"`
}

function refuseTargets(transport: unknown): void {
  if (typeof transport !== 'object' || transport === null || !('targets' in transport)) return
  throw new TypeError(
    'pinoOptions: transport must have one target or a pipeline: several targets tell levels by their numbers, where a record has their names. pino.multistream writes to several places',
  )
}
