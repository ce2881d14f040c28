import { describeValue } from '../../base/describe-value.ts'
import { type Duration, parseDuration } from '../../base/duration.ts'
import { invalidOption } from '../../base/errors.ts'

/**
 * When a task runs. `next` returns the time of the next run, where the scheduler knows it: a date, milliseconds since
 * the epoch, or `undefined` or `null` for none.
 */
export type TaskTrigger =
  | { readonly cron: string; readonly next?: NextRun | undefined }
  | { readonly custom: string; readonly next?: NextRun | undefined }
  | IntervalTrigger<'fixedRate'>
  | IntervalTrigger<'fixedDelay'>

/** Returns the time of the next run, if it is known: a date, or milliseconds since the epoch. */
export type NextRun = () => Date | number | null | undefined

/** An interval between two starts (`fixedRate`), or between an end and the next start (`fixedDelay`). */
export type IntervalTrigger<Kind extends string> = { readonly [kind in Kind]: Duration } & {
  /** How long after its registration the task runs for the first time. @default the interval, like `setInterval` */
  readonly initialDelay?: Duration | undefined
}

/** When a task runs, as it is shown. Intervals are in milliseconds. */
export type ShownTrigger =
  | { readonly kind: 'cron' | 'custom'; readonly expression: string }
  | { readonly kind: 'fixedRate' | 'fixedDelay'; readonly interval: number; readonly initialDelay: number }

/** The times of the latest run, in milliseconds since the epoch. */
interface RunTimes {
  readonly registeredAt: number
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
}

/** A trigger of any kind, as the registry reads it. */
export interface TriggerView {
  readonly shown: ShownTrigger
  /** Returns the next run in milliseconds since the epoch; `undefined` if there is no such run, or its time is unknown. */
  readonly next: (times: RunTimes) => number | undefined
}

/**
 * Checks a trigger, and returns it as the registry reads it.
 *
 * @throws TypeError naming the invalid member.
 */
export function viewTrigger(trigger: TaskTrigger): TriggerView {
  if ('cron' in trigger) return viewExpression('cron', trigger.cron, trigger.next)
  if ('fixedRate' in trigger) {
    const { interval, initialDelay } = readIntervals('fixedRate', trigger.fixedRate, trigger.initialDelay)
    return {
      shown: { kind: 'fixedRate', interval, initialDelay },
      next: ({ registeredAt, startedAt }) =>
        startedAt === undefined ? registeredAt + initialDelay : startedAt + interval,
    }
  }
  if ('fixedDelay' in trigger) {
    const { interval, initialDelay } = readIntervals('fixedDelay', trigger.fixedDelay, trigger.initialDelay)
    return {
      shown: { kind: 'fixedDelay', interval, initialDelay },
      next: ({ registeredAt, startedAt, endedAt }) => {
        if (startedAt === undefined) return registeredAt + initialDelay
        return endedAt === undefined ? undefined : endedAt + interval
      },
    }
  }
  return viewExpression('custom', trigger.custom, trigger.next)
}

function viewExpression(kind: 'cron' | 'custom', expression: string, next: NextRun = () => undefined): TriggerView {
  if (typeof expression !== 'string' || expression === '') {
    throw invalidOption(`schedule: trigger.${kind}: expected a non-empty string, received ${describeValue(expression)}`)
  }
  if (typeof next !== 'function') {
    throw invalidOption(`schedule: trigger.next: expected a function, received ${describeValue(next)}`)
  }
  return { shown: { kind, expression }, next: () => timeOf(next()) }
}

/** Returns milliseconds since the epoch; `undefined` for anything that is not a time. */
export function timeOf(value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : value
  return typeof time === 'number' && Math.abs(time) <= maxTime ? time : undefined
}

/** The last time of a `Date` (ECMAScript §21.4.1.1). */
const maxTime = 8.64e15

function readIntervals(kind: string, interval: Duration, initialDelay: Duration = interval) {
  return {
    interval: readDuration(kind, interval),
    initialDelay: readDuration('initialDelay', initialDelay),
  }
}

function readDuration(member: string, value: Duration): number {
  const milliseconds = typeof value === 'string' ? parseDuration(value) : undefined
  if (milliseconds !== undefined) return milliseconds
  const received = describeValue(value)
  throw invalidOption(`schedule: trigger.${member}: expected a duration such as "5s", received ${received}`)
}
