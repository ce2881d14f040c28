import { messageOf } from '../../base/callback.ts'
import type { Report } from '../../base/report.ts'
import type { Counter } from '../../metrics/counter.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import { logCell } from './sinks.ts'

/** The values of the tag `level`, as Micrometer names them. */
const countedLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const

/** Returns the index of the counter for a severity number from 1 to 24; that of `error` for `FATAL`, too. */
export function countedLevel(severity: number): number {
  return Math.min(4, Math.max(0, (severity - 1) >> 2))
}

/** Counts a record in each registry. Never throws. `level` is a result of `countedLevel`. */
export function countRecord(level: number): void {
  const { counters } = logCell
  if (counters === undefined) return
  for (const each of counters) each[level]?.increment()
}

/** Whether the counters are registered with the first record, or before it. */
interface CountingOptions {
  readonly isExpected: boolean
  readonly report: Report
}

/**
 * Registers the counters `logback.events` by level, for the records of all connected loggers of the process. Returns a
 * function that stops counting.
 */
export function countLogEvents(meters: MeterRegistry, { isExpected, report }: CountingOptions): () => void {
  const own: Pick<Counter, 'increment'>[] = countedLevels.map((_, at) => ({
    increment() {
      register()
      own[at]?.increment()
    },
  }))
  const register = () => {
    // Replaced first: what is reported while the counters are registered may be logged.
    own.fill(notCounted)
    try {
      own.splice(0, own.length, ...countedLevels.map((level) => counterOf(meters, level)))
    } catch (error) {
      report(`log records are not counted: ${messageOf(error)}`)
    }
  }
  if (isExpected) register()
  logCell.counters = [...(logCell.counters ?? []), own]
  return () => removeCounters(own)
}

/** Calls a function with each record of level error or above. Returns a function that ends this. */
export function onErrorRecord(listener: () => void): () => void {
  const own = countedLevels.map((level) => (level === 'error' ? { increment: listener } : notCounted))
  logCell.counters = [...(logCell.counters ?? []), own]
  return () => removeCounters(own)
}

function removeCounters(own: readonly Pick<Counter, 'increment'>[]): void {
  const others = logCell.counters?.filter((each) => each !== own) ?? []
  logCell.counters = others.length === 0 ? undefined : others
}

const notCounted: Pick<Counter, 'increment'> = { increment() {} }

function counterOf(meters: MeterRegistry, level: string): Counter {
  const description = 'Log records that were enabled by the level of their logger'
  return meters.counter('logback.events', { level }, { description, baseUnit: 'events' })
}
