import { replaceMethod } from '../replaced-method.ts'
import { isFunctionAt, type ObservedJob } from './observed-job.ts'
import { timeOf } from './task-trigger.ts'

/** A job of node-schedule. */
export interface NodeScheduleJob {
  readonly name: string
  /** The date of the next invocation, of type `Date` or with the same `getTime`. */
  nextInvocation(): { getTime(): number } | null
  invoke: unknown
}

export function isNodeScheduleJob(job: object): job is NodeScheduleJob {
  return isFunctionAt(job, 'nextInvocation') && isFunctionAt(job, 'invoke')
}

/** Observes a job of node-schedule by its `invoke`, which runs its function. */
export function observeNodeSchedule(job: NodeScheduleJob): ObservedJob {
  const expression = cronExpressionOf(job)
  return {
    // A job without a name has one with the time of its creation: another one at each start of the process.
    name: job.name.startsWith('<Anonymous Job') ? undefined : job.name,
    trigger: {
      shown: { kind: expression === undefined ? 'custom' : 'cron', expression: expression ?? 'node-schedule' },
      next: () => timeOf(job.nextInvocation()?.getTime()),
    },
    isOver: () => 'isOneTimeJob' in job && job.isOneTimeJob === true && job.nextInvocation() === null,
    observe: ({ run: record }) =>
      replaceMethod(
        job,
        'invoke',
        (invoke) =>
          function (...args) {
            return record(() => invoke.apply(this, args))
          },
      ),
  }
}

/** Returns the cron expression of a job; `undefined` for one with a date or a rule. */
function cronExpressionOf(job: object): string | undefined {
  const pending: unknown = 'pendingInvocations' in job ? job.pendingInvocations : undefined
  const first: unknown = Array.isArray(pending) ? pending[0] : undefined
  const rule: unknown =
    typeof first === 'object' && first !== null && 'recurrenceRule' in first ? first.recurrenceRule : undefined
  if (typeof rule !== 'object' || rule === null || !('stringify' in rule)) return undefined
  const text: unknown = typeof rule.stringify === 'function' ? rule.stringify(true) : undefined
  return typeof text === 'string' ? text : undefined
}
