import { createBudget } from '../base/budget.ts'
import { notify } from '../base/callback.ts'
import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { type AuditFile, appendTo } from './audit-file.ts'

/** An operation of an endpoint that changed or downloaded something: who did it, and with which outcome. */
export interface AuditEvent {
  /** ISO 8601, in UTC. */
  readonly timestamp: string
  /** The name of the caller, up to 100 characters; `undefined` for an unknown caller of a public operation. */
  readonly principal: string | undefined
  /** The tool of `upkeep mcp` by which an agent requested it, such as `profile`; absent from all other requests. */
  readonly tool?: string
  /** Whether something was changed, or a dump, a profile or a file was downloaded. */
  readonly type: 'change' | 'download'
  /** The id of the endpoint. */
  readonly endpoint: string
  readonly method: string
  /** The path below the base path, such as `loggers/orders.db`, without the query and without secrets. */
  readonly path: string
  readonly outcome: 'success' | 'failure'
  /** The status of the response to a failure; `undefined` for a download that broke off. */
  readonly status: number | undefined
}

/** An event without the time at which it is recorded. */
export type AuditRecord = Omit<AuditEvent, 'timestamp'>

/** Events that are recorded at once, and for each second after that. */
const burst = 60

const millisecondsPerEvent = 1_000

interface AuditSurroundings {
  readonly clock: Clock
  /** Returns the meters. */
  readonly measure: () => MeterRegistry
  readonly report: Report
}

/**
 * Returns a function that passes events to `audit`, a function or a file, by default to `report` as one line each. At
 * most 60 events at once and one per second are passed, counted separately for known and unknown callers, so that
 * strangers cannot displace the others. Omitted events are counted by the meter `upkeep.audit.dropped`, and reported
 * with the next event.
 */
export function createAuditLog(
  audit: ((event: AuditEvent) => unknown) | AuditFile | undefined,
  { clock, measure, report }: AuditSurroundings,
): (record: AuditRecord) => void {
  const known = createBudget(clock, burst, millisecondsPerEvent)
  const unknown = createBudget(clock, burst, millisecondsPerEvent)
  const write =
    typeof audit === 'object' ? appendTo(audit.file) : (audit ?? ((event: AuditEvent) => report(describeEvent(event))))
  let omitted = 0
  return (record) => {
    if (!(record.principal === undefined ? unknown : known).take()) {
      omitted += 1
      measure()
        .counter('upkeep.audit.dropped', {}, { description: 'Audit events that were omitted: there were too many' })
        .increment()
      return
    }
    if (omitted > 0) report(`audit: ${omitted} events were omitted, because there were more than one per second`)
    omitted = 0
    const event = { timestamp: new Date(clock.wallTime()).toISOString(), ...record }
    notify(write, [event], (error) => report('the option audit failed', error))
  }
}

function describeEvent({ principal, tool, type, method, path, outcome, status }: AuditEvent): string {
  const caller = principal === undefined ? 'an unknown caller' : JSON.stringify(principal)
  const agent = tool === undefined ? '' : ` with the tool ${tool}`
  const result = status === undefined ? outcome : `${outcome} (${status})`
  return `audit: ${type} by ${caller}${agent}: ${method} ${path}: ${result}`
}
