import type { Clock } from '../../clock.ts'
import type { Report } from '../../report.ts'
import type { Signal } from './export-meters.ts'

/** Tells of what does not arrive: of the first at once, of all others summed up, once a minute at most. */
export interface LossReport {
  add(signal: Signal, count: number, cause: unknown): void
  /** Tells what has not been told yet. */
  flush(): void
}

const intervalMilliseconds = 60_000

const items: Readonly<Record<Signal, string>> = { traces: 'span', metrics: 'data point' }

export function createLossReport(report: Report, clock: Clock): LossReport {
  const lost = new Map<Signal, number>()
  let cause: unknown
  let told = Number.NEGATIVE_INFINITY

  function tell(): void {
    if (lost.size === 0) return
    const sums = [...lost].map(([signal, count]) => `${count} ${items[signal]}${count === 1 ? '' : 's'}`).join(' and ')
    lost.clear()
    told = clock.monotonicTime()
    report(`OTLP: ${sums} did not arrive. ${cause instanceof Error ? cause.message : ''}`.trim(), cause)
  }

  return {
    add(signal, count, reason) {
      lost.set(signal, (lost.get(signal) ?? 0) + count)
      cause = reason
      if (clock.monotonicTime() - told >= intervalMilliseconds) tell()
    },
    flush: tell,
  }
}
