import { type Clock, systemClock } from '../../base/clock.ts'
import { describeValue } from '../../base/describe-value.ts'
import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { invalidOption } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import { contain, type Report, reportToConsole } from '../../base/report.ts'
import type { HealthCheck } from '../../health/indicator.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import { type BullQueue, type BullWorker, isBullQueue, isBullWorker, observeBullQueue } from './bullmq-queue.ts'
import { type CronerJob, type NodeCronTask, type NodeScheduleJob, type ObservedJob, viewJob } from './scheduler-jobs.ts'
import { type ScheduledTaskState, TaskHistory } from './task-history.ts'
import { createTaskMeters, type TaskMeters } from './task-meters.ts'
import { type TaskTrigger, type TriggerView, viewTrigger } from './task-trigger.ts'

/** A job of node-cron, croner or node-schedule, or a queue of BullMQ. */
export type SchedulerJob = NodeCronTask | CronerJob | NodeScheduleJob | BullQueue

/** Options of `ScheduledTasks.add`. */
export interface AddTaskOptions {
  /** The name of the task. Required if the job has none. @default the name of the job */
  readonly name?: string | undefined
  /** The worker that runs the jobs of a queue of BullMQ in this process. @default their runs are not recorded */
  readonly worker?: BullWorker | undefined
}

/** Options of `createScheduledTasks`. */
export interface ScheduledTasksOptions {
  /** How long after its time a run that has not started counts as late. @default '1m' */
  readonly lateAfter?: Duration | undefined
  /** Called if the job schedulers of a queue cannot be read. @default console.error */
  readonly report?: Report | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * The scheduled tasks of an application: when each ran last, for how long, with which outcome, and when it runs next.
 * The option `scheduledTasks` of `createManagement` shows them at `scheduledtasks` and measures them.
 */
export interface ScheduledTasks {
  /**
   * Returns a function that does the same as `task` and records each call as a run, until it returns, its promise
   * settles, or its generator ends. If the process is traced, each run is a trace of its own. Replaces a task of the
   * same name. Pass it to any scheduler: `setInterval(tasks.schedule('mail.send', send, { fixedRate: '1m' }), 60_000)`.
   *
   * @throws TypeError for an empty name or an invalid trigger.
   */
  schedule<F extends (...args: never[]) => unknown>(name: string, task: F, trigger?: TaskTrigger): F
  /**
   * Observes a job of node-cron, croner or node-schedule, or the job schedulers of a queue of BullMQ. Returns a
   * function that removes it. A job for one date is removed when it has run or was cancelled.
   *
   * @throws TypeError for an unknown job, or one without a name.
   */
  add(job: SchedulerJob, options?: AddTaskOptions): () => void
  /** Removes a task. Its meters stay. */
  remove(name: string): void
  /** Returns all tasks by name. Never rejects. */
  read(): Promise<readonly ScheduledTaskState[]>
  /** A health indicator: `DOWN` while a task is late, with the names of such tasks in `details.late`. */
  readonly indicator: HealthCheck
  /**
   * Records runs in meters: the timer `tasks.scheduled.execution` and the long task timer
   * `tasks.scheduled.execution.active`. Returns a function that stops it. Called by `createManagement`.
   */
  measure(meters: MeterRegistry): () => void
}

/** A trigger for tasks without one: they are shown, and are never late. */
const noTrigger: TriggerView = { shown: { kind: 'custom', expression: 'unknown' }, next: () => undefined }

/**
 * Creates an empty registry of scheduled tasks.
 *
 * @throws RangeError if `lateAfter` is malformed.
 */
export function createScheduledTasks(options: ScheduledTasksOptions = {}): ScheduledTasks {
  requireKnownOptions('createScheduledTasks', options, ['lateAfter', 'report', 'clock'])
  const { clock = systemClock } = options
  const report = contain(options.report ?? reportToConsole)
  const lateAfter = durationMilliseconds(options.lateAfter ?? '1m', 'createScheduledTasks: lateAfter')
  const registries = new Set<TaskMeters>()
  const sources = new Map<string, TaskSource>()

  const createTask = (name: string, trigger: TriggerView, onEnd?: () => void) =>
    new TaskHistory(name, trigger, { clock, lateAfter, meters: registries, onEnd })

  function register(name: string, source: TaskSource): () => void {
    sources.get(name)?.stop()
    sources.set(name, source)
    return () => {
      if (sources.get(name) !== source) return
      source.stop()
      sources.delete(name)
    }
  }

  async function read(): Promise<readonly ScheduledTaskState[]> {
    for (const source of sources.values()) source.removeIfOver?.()
    await Promise.all([...sources.values()].map((source) => source.refresh?.()))
    const states = [...sources.values()].flatMap((source) => [...source.tasks()].map((task) => task.read()))
    return states.sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  return {
    schedule(name, task, trigger) {
      requireName(name)
      if (typeof task !== 'function') {
        throw invalidOption(`schedule: task: expected a function, received ${describeValue(task)}`)
      }
      const history = createTask(name, trigger === undefined ? noTrigger : viewTrigger(trigger))
      register(name, { tasks: () => [history], stop: () => {} })
      const run = function (this: unknown, ...args: never[]): unknown {
        return history.run(() => task.apply(this, args))
      }
      // Safe: it takes the same arguments, and returns what the task returns.
      return run as typeof task
    },
    add(job, addOptions = {}) {
      requireKnownOptions('scheduledTasks.add', addOptions, ['name', 'worker'])
      const { name, worker } = addOptions
      if (typeof job === 'object' && job !== null && isBullQueue(job)) {
        if (worker !== undefined && !isBullWorker(worker)) {
          throw invalidOption(`scheduledTasks.add: worker: expected a worker, received ${describeValue(worker)}`)
        }
        return register(name ?? job.name, observeBullQueue(job, worker, createTask, report))
      }
      const observed = viewJob(job)
      const removeIfOver = () => {
        if (!history.isRunning && isOver(observed)) remove()
      }
      const history = createTask(requireName(name ?? observed.name), observed.trigger, removeIfOver)
      const stop = observed.observe({
        run: (work) => history.run(work),
        start: () => history.start(),
        restart: () => history.restart(),
      })
      const remove = register(history.name, { tasks: () => [history], removeIfOver, stop })
      return remove
    },
    remove(name) {
      sources.get(name)?.stop()
      sources.delete(name)
    },
    read,
    indicator: async () => {
      const late = (await read()).filter(({ isLate }) => isLate).map(({ name }) => name)
      return late.length === 0 ? 'UP' : { status: 'DOWN', details: { late } }
    },
    measure(meters) {
      const recorder = createTaskMeters(meters)
      registries.add(recorder)
      return () => void registries.delete(recorder)
    },
  }
}

/** One task, or those of a queue. */
interface TaskSource {
  readonly tasks: () => Iterable<TaskHistory>
  readonly refresh?: () => Promise<void>
  /** Removes a job for one date that is over, so that such jobs do not accumulate. */
  readonly removeIfOver?: () => void
  readonly stop: () => void
}

/** A job that fails to respond is kept: recording must not fail its run. */
function isOver(job: ObservedJob): boolean {
  try {
    return job.isOver?.() ?? false
  } catch {
    return false
  }
}

function requireName(name: unknown): string {
  if (typeof name === 'string' && name !== '') return name
  throw invalidOption(`scheduledTasks: name: expected a non-empty string, received ${describeValue(name)}`)
}
