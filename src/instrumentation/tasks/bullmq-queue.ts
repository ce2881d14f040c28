import { onlyFirst } from '../../base/callback.ts'
import { withDeadline } from '../../base/deadline.ts'
import type { Report } from '../../base/report.ts'
import { isFunctionAt } from './scheduler-jobs.ts'
import type { EndRun, TaskHistory } from './task-history.ts'
import { type TriggerView, timeOf } from './task-trigger.ts'

/** A queue of BullMQ, whose job schedulers are tasks. */
export interface BullQueue {
  readonly name: string
  getJobSchedulers(start?: number, end?: number, asc?: boolean): Promise<readonly BullScheduler[]>
}

/** A job scheduler of a queue. Times and intervals are in milliseconds. */
export interface BullScheduler {
  readonly key: string
  readonly pattern?: string | null | undefined
  readonly every?: number | string | null | undefined
  readonly next?: number | undefined
}

/** A worker of BullMQ that runs the jobs of the queue in this process. */
export interface BullWorker {
  on(event: string, listener: (...args: never[]) => void): unknown
  off(event: string, listener: (...args: never[]) => void): unknown
}

/** A job, as the events of a worker carry it. */
interface BullJob {
  readonly id?: string | undefined
  readonly repeatJobKey?: string | null | undefined
}

/** Further job schedulers of a queue are not shown. */
const maxSchedulers = 200

const timeoutMilliseconds = 2_000

export function isBullQueue(job: object): job is BullQueue {
  return isFunctionAt(job, 'getJobSchedulers')
}

export function isBullWorker(worker: unknown): worker is BullWorker {
  return typeof worker === 'object' && worker !== null && isFunctionAt(worker, 'on') && isFunctionAt(worker, 'off')
}

/** The tasks of a queue, one for each job scheduler. */
interface BullTasks {
  /** Reads the job schedulers from Redis. While it does not respond, the tasks are those that were read last. */
  refresh(): Promise<void>
  tasks(): Iterable<TaskHistory>
  stop(): void
}

/** Observes a queue, and the runs of its scheduled jobs in a worker of this process. */
export function observeBullQueue(
  queue: BullQueue,
  worker: BullWorker | undefined,
  createTask: (name: string, trigger: TriggerView) => TaskHistory,
  report: Report,
): BullTasks {
  const tasks = new Map<string, TaskHistory>()
  const active = new Map<string, EndRun>()
  const failed = onlyFirst((error: unknown) => report(`the job schedulers of ${queue.name} cannot be read`, error))

  function taskOf(key: string, trigger: TriggerView): TaskHistory {
    const task = tasks.get(key) ?? createTask(`${queue.name}.${key}`, trigger)
    tasks.set(key, task)
    return task
  }

  const listeners: Readonly<Record<string, (job: BullJob | undefined, error?: unknown) => void>> = {
    active(job) {
      const { id, repeatJobKey: key } = job ?? {}
      if (typeof key !== 'string' || id === undefined) return
      if (tasks.size >= maxSchedulers && !tasks.has(key)) return
      // A job that stalled is active again, with the same id.
      active.get(id)?.(true, new Error('stalled'))
      active.set(id, taskOf(key, unread).start())
    },
    completed: (job) => end(job, false),
    failed: (job, error) => end(job, true, error),
  }

  function end(job: BullJob | undefined, hasFailed: boolean, error?: unknown): void {
    const id = job?.id ?? ''
    active.get(id)?.(hasFailed, error)
    active.delete(id)
  }

  for (const [event, listener] of Object.entries(listeners)) worker?.on(event, listener)
  return {
    async refresh() {
      try {
        const read = queue.getJobSchedulers(0, maxSchedulers - 1, true)
        const schedulers = await withDeadline(read, timeoutMilliseconds, `the queue ${queue.name}`)
        const keys = new Set(schedulers.map(({ key }) => key))
        for (const key of tasks.keys()) if (!keys.has(key)) tasks.delete(key)
        for (const each of schedulers) taskOf(each.key, unread).reschedule(viewScheduler(each))
      } catch (error) {
        failed(error)
      }
    },
    tasks: () => tasks.values(),
    stop() {
      for (const [event, listener] of Object.entries(listeners)) worker?.off(event, listener)
    },
  }
}

/** The trigger of a job scheduler that ran before it was read. */
const unread: TriggerView = { shown: { kind: 'custom', expression: 'bullmq' }, next: () => undefined }

function viewScheduler({ pattern, every, next }: BullScheduler): TriggerView {
  const interval = Number(every)
  return {
    shown:
      typeof pattern === 'string'
        ? { kind: 'cron', expression: pattern }
        : every !== undefined && Number.isFinite(interval)
          ? { kind: 'fixedRate', interval, initialDelay: 0 }
          : unread.shown,
    next: () => timeOf(next),
  }
}
