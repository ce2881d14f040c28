import { replaceMethod } from '../replaced-method.ts'
import { combineUnsubscribes } from '../trace-library.ts'
import { isFunctionAt, type ObservedJob } from './observed-job.ts'
import { timeOf } from './task-trigger.ts'

/** A job of croner. */
export interface CronerJob {
  readonly name?: string | undefined
  nextRun(): Date | null
  getPattern?(): string | undefined
  isRunning(): boolean
  resume(): boolean
}

export function isCronerJob(job: object): job is CronerJob {
  return isFunctionAt(job, 'nextRun') && isFunctionAt(job, 'isRunning') && isFunctionAt(job, 'resume')
}

/**
 * Observes a job of croner, which emits no events: its function is replaced by one that records the run.
 *
 * @throws TypeError if the job has no function yet.
 */
export function observeCroner(job: CronerJob): ObservedJob {
  if (!hasFunction(job)) {
    throw new TypeError('scheduledTasks: job: expected a job of croner with a function; call schedule(fn) of it before')
  }
  const pattern = job.getPattern?.()
  return {
    name: job.name,
    trigger: {
      shown: { kind: pattern === undefined ? 'custom' : 'cron', expression: pattern ?? 'once' },
      next: () => (job.isRunning() ? timeOf(job.nextRun()) : undefined),
    },
    isOver: () => pattern === undefined && job.nextRun() === null,
    observe: ({ run: record, restart }) =>
      combineUnsubscribes([
        replaceMethod(
          job,
          'fn',
          (run) =>
            function (...args) {
              return record(() => run.apply(this, args))
            },
        ),
        replaceMethod(
          job,
          'resume',
          (resume) =>
            function (...args) {
              const result = resume.apply(this, args)
              restart()
              return result
            },
        ),
      ]),
  }
}

function hasFunction(job: CronerJob): job is CronerJob & { fn: unknown } {
  return isFunctionAt(job, 'fn')
}
