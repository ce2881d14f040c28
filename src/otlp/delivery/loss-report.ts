import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { Signal } from './export-meters.ts'

/** Why a receiver does not have spans, data points or log records. */
type Loss = 'failed' | 'rejected' | 'dropped'

/** Reports losses of one receiver: the first of a kind immediately, further ones as a sum, at most once a minute. */
export interface LossReport {
  add(loss: Loss, count: number, reason: string): void
  /** Reports a warning of the receiver about an accepted export. */
  warn(message: string): void
  /** Reports that items wait for a receiver that does not accept them at present. */
  delay(reason: string): void
  /** Discards unreported failures whose data has arrived with a later export. */
  recover(): void
  /** Reports all unreported losses. */
  flush(): void
}

const intervalMilliseconds = 60_000

/** What a signal consists of. */
export const itemNames: Readonly<Record<Signal, string>> = { traces: 'span', metrics: 'data point', logs: 'log record' }

export function createLossReport(signal: Signal, url: string, report: Report, clock: Clock): LossReport {
  const lost = new Map<Loss, { readonly count: number; readonly reason: string }>()
  const reportedAt = new Map<Loss | 'warning' | 'delay', number>()

  function isDue(kind: Loss | 'warning' | 'delay'): boolean {
    return clock.monotonicTime() - (reportedAt.get(kind) ?? Number.NEGATIVE_INFINITY) >= intervalMilliseconds
  }

  function reportLoss(loss: Loss): void {
    const pending = lost.get(loss)
    if (pending === undefined) return
    lost.delete(loss)
    reportedAt.set(loss, clock.monotonicTime())
    const quantity = `${pending.count} ${itemNames[signal]}${pending.count === 1 ? '' : 's'}`
    report(`otlp: ${sentence(loss, quantity)}: ${pending.reason}`)
  }

  function sentence(loss: Loss, what: string): string {
    if (loss === 'failed') return `failed to export ${what} to ${url}`
    return loss === 'rejected' ? `${url} rejected ${what}` : `dropped ${what} for ${url}`
  }

  return {
    add(loss, count, reason) {
      lost.set(loss, { count: (lost.get(loss)?.count ?? 0) + count, reason })
      if (isDue(loss)) reportLoss(loss)
    },
    warn(message) {
      if (!isDue('warning')) return
      reportedAt.set('warning', clock.monotonicTime())
      report(`otlp: ${url} accepted ${itemNames[signal]}s with a warning: ${message}`)
    },
    delay(reason) {
      if (!isDue('delay')) return
      reportedAt.set('delay', clock.monotonicTime())
      report(`otlp: ${itemNames[signal]}s for ${url} are queued until it accepts them: ${reason}`)
    },
    recover: () => void lost.delete('failed'),
    flush() {
      for (const loss of [...lost.keys()]) reportLoss(loss)
    },
  }
}
