import { describeValue } from '../../base/describe-value.ts'
import { invalidOption } from '../../base/errors.ts'
import { replaceMethod } from '../replaced-method.ts'
import { combineUnsubscribes } from '../unsubscribes.ts'
import type { EndRun } from './task-history.ts'
import { type TriggerView, timeOf } from './task-trigger.ts'

/** Where the observer of a job records its runs. */
interface RunRecorder {
  /** Runs work in a span, and records it as a run. */
  readonly run: <R>(work: () => R) => R
  /** Records the start of a run whose work the scheduler runs. Returns the function that records its end. */
  readonly start: () => EndRun
  /** Forgets when a run was due, because the job was stopped or started. */
  readonly restart: () => void
}

/** A job of a scheduler, as the registry reads it. */
export interface ObservedJob {
  /** The name that the application has given to the job. */
  readonly name: string | undefined
  readonly trigger: TriggerView
  /** Whether the job was scheduled for one date, which is over. @default it is repeated */
  readonly isOver?: () => boolean
  /** Starts recording. Returns a function that stops it. */
  readonly observe: (recorder: RunRecorder) => () => void
}

/**
 * Returns a job as the registry reads it.
 *
 * @throws TypeError for an unknown job, or one of croner that has no function yet.
 */
export function viewJob(job: unknown): ObservedJob {
  if (typeof job === 'object' && job !== null) {
    if (isNodeCronTask(job)) return observeNodeCron(job)
    if (isCronerJob(job)) return observeCroner(job)
    if (isNodeScheduleJob(job)) return observeNodeSchedule(job)
  }
  throw invalidOption(
    'scheduledTasks.add: job: expected a job of node-cron, croner or node-schedule, or a queue of BullMQ, ' +
      `received ${describeValue(job)}`,
  )
}

/** What the events of a task of node-cron carry. */
export interface NodeCronContext {
  readonly execution?: { readonly id: string; readonly error?: unknown } | undefined
  readonly error?: unknown
}

/** A task of node-cron 4. */
export interface NodeCronTask {
  readonly name?: string | undefined
  getNextRun(): Date | null
  getStatus(): string
  getPattern?(): string
  on(event: string, listener: (context: NodeCronContext) => void): unknown
  off(event: string, listener: (context: NodeCronContext) => void): unknown
}

function isNodeCronTask(job: object): job is NodeCronTask {
  return isFunctionAt(job, 'getNextRun') && isFunctionAt(job, 'getStatus') && isFunctionAt(job, 'on')
}

/** Observes a task by its events. Runs are distinguished by the id of the execution. */
function observeNodeCron(task: NodeCronTask): ObservedJob {
  const pattern = task.getPattern?.()
  return {
    name: task.name,
    trigger: {
      shown: { kind: pattern === undefined ? 'custom' : 'cron', expression: pattern ?? 'node-cron' },
      // A destroyed task still names its next run.
      next: () => (task.getStatus() === 'destroyed' ? undefined : timeOf(task.getNextRun())),
    },
    observe({ start, restart }) {
      const active = new Map<string, ReturnType<typeof start>>()
      const end = (failed: boolean, { execution, error }: NodeCronContext) => {
        const id = execution?.id ?? ''
        active.get(id)?.(failed, execution?.error ?? error)
        active.delete(id)
      }
      const listeners: readonly (readonly [string, (context: NodeCronContext) => void])[] = [
        ['execution:started', ({ execution }) => void active.set(execution?.id ?? '', start())],
        ['execution:finished', (context) => end(false, context)],
        ['execution:failed', (context) => end(true, context)],
        ['task:started', restart],
        ['task:stopped', restart],
      ]
      for (const [event, listener] of listeners) task.on(event, listener)
      return () => {
        for (const [event, listener] of listeners) task.off(event, listener)
      }
    },
  }
}

/** A job of croner. */
export interface CronerJob {
  readonly name?: string | undefined
  nextRun(): Date | null
  getPattern?(): string | undefined
  isRunning(): boolean
  resume(): boolean
}

function isCronerJob(job: object): job is CronerJob {
  return isFunctionAt(job, 'nextRun') && isFunctionAt(job, 'isRunning') && isFunctionAt(job, 'resume')
}

/** Observes a job of croner, which emits no events: its function is replaced by one that records the run. */
function observeCroner(job: CronerJob): ObservedJob {
  if (!isFunctionAt(job, 'fn')) {
    throw invalidOption('scheduledTasks: job: expected a job of croner with a function; call schedule(fn) of it before')
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
        replaceMethod(job, 'fn', (run, self, args) => record(() => run.apply(self, args))),
        replaceMethod(job, 'resume', (resume, self, args) => {
          const result = resume.apply(self, args)
          restart()
          return result
        }),
      ]),
  }
}

/** A job of node-schedule. */
export interface NodeScheduleJob {
  readonly name: string
  /** The date of the next invocation, of type `Date` or with the same `getTime`. */
  nextInvocation(): { getTime(): number } | null
  invoke: unknown
}

function isNodeScheduleJob(job: object): job is NodeScheduleJob {
  return isFunctionAt(job, 'nextInvocation') && isFunctionAt(job, 'invoke')
}

/** Observes a job of node-schedule by its `invoke`, which runs its function. */
function observeNodeSchedule(job: NodeScheduleJob): ObservedJob {
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
      replaceMethod(job, 'invoke', (invoke, self, args) => record(() => invoke.apply(self, args))),
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

/** Whether a member of an object is a function. */
export function isFunctionAt<K extends string>(object: object, key: K): object is { [key in K]: unknown } {
  return typeof Reflect.get(object, key) === 'function'
}
