import { messageOf } from '../../base/callback.ts'
import type { Clock } from '../../base/clock.ts'
import { hideCredentials } from '../../base/redaction.ts'
import { errorName, onSettled } from '../../base/settled-work.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import type { TracedOptions } from '../../tracing/span.ts'
import { withTrace } from '../../tracing/traced.ts'
import type { TaskMeters } from './task-meters.ts'
import type { ShownTrigger, TriggerView } from './task-trigger.ts'

/** A task and its runs, as `ScheduledTasks.read` returns them. Times are milliseconds since the epoch. */
export interface ScheduledTaskState {
  readonly name: string
  readonly trigger: ShownTrigger
  /** How many runs are active. */
  readonly running: number
  /** Whether a run is overdue by more than `lateAfter`. */
  readonly isLate: boolean
  readonly nextExecution: number | undefined
  /** The run that ended last; the active one if none has ended yet. */
  readonly lastExecution: TaskExecution | undefined
}

/** A run of a task. */
export type TaskExecution =
  | { readonly status: 'STARTED'; readonly time: number }
  | { readonly status: 'SUCCESS'; readonly time: number; readonly seconds: number }
  | { readonly status: 'ERROR'; readonly time: number; readonly seconds: number; readonly exception: TaskException }

/** The class and the message of an error, without credentials. */
export interface TaskException {
  readonly type: string
  readonly message: string
}

/** Called when a run has ended. A second call is ignored. */
export type EndRun = (failed: boolean, error?: unknown) => void

interface TaskHistoryOptions {
  readonly clock: Clock
  readonly lateAfter: number
  readonly meters: ReadonlySet<TaskMeters>
  /** Called when a run has ended. */
  readonly onEnd?: (() => void) | undefined
}

const maxMessage = 500

/** No caller's trace is continued. */
const noCarrier = {}

/** The runs of one task: how many are active, how the last one ended, and when the next one is due. */
export class TaskHistory {
  readonly name: string
  readonly #clock: Clock
  readonly #lateAfter: number
  readonly #meters: ReadonlySet<TaskMeters>
  readonly #onEnd: () => void
  readonly #registeredAt: number
  readonly #spanName: string
  readonly #spanOptions: TracedOptions
  #trigger: TriggerView
  #running = 0
  #startedAt: number | undefined = undefined
  #endedAt: number | undefined = undefined
  #last: TaskExecution | undefined = undefined
  /** When the run after the latest one is due; `undefined` until it is known. */
  #dueAt: number | undefined = undefined

  constructor(name: string, trigger: TriggerView, { clock, lateAfter, meters, onEnd = () => {} }: TaskHistoryOptions) {
    this.name = name
    this.#trigger = trigger
    this.#clock = clock
    this.#lateAfter = lateAfter
    this.#meters = meters
    this.#onEnd = onEnd
    this.#spanName = `task ${name}`
    this.#spanOptions = { kind: 'internal', attributes: { 'code.function.name': name } }
    this.#registeredAt = clock.wallTime()
    this.#dueAt = this.#next()
  }

  /**
   * Runs the work of the task, and records the run until the work has settled. If the process is traced, the run is a
   * trace of its own: a timer would continue the one in which it was set.
   */
  run<R>(work: () => R): R {
    return withTrace(noCarrier, this.#spanName, () => onSettled(work, this.#begin()), this.#spanOptions)
  }

  /**
   * Records the start of a run whose work a scheduler runs. Returns the function that records its end. Its span is not
   * active during the work.
   */
  start(): EndRun {
    const span = currentTracing()?.startSpan(this.#spanName, { ...this.#spanOptions, parent: 'root' })
    const end = this.#begin()
    return (failed, error) => {
      end(failed, error)
      if (failed) {
        span?.setAttributes({ 'error.type': errorName(error) })
        span?.fail(error)
      }
      span?.end()
    }
  }

  #begin(): EndRun {
    const startedAt = this.#clock.wallTime()
    const begun = this.#clock.monotonicTime()
    this.#running += 1
    this.#startedAt = startedAt
    this.#dueAt = this.#next()
    const ends = [...this.#meters].map((meters) => meters.start(this.name))
    let hasEnded = false
    return (failed, error) => {
      if (hasEnded) return
      hasEnded = true
      const seconds = Math.max(0, this.#clock.monotonicTime() - begun) / 1_000
      this.#running -= 1
      this.#endedAt = this.#clock.wallTime()
      this.#last = failed
        ? { status: 'ERROR', time: startedAt, seconds, exception: describeException(error) }
        : { status: 'SUCCESS', time: startedAt, seconds }
      this.#dueAt = this.#next()
      for (const end of ends) end(failed, error, seconds)
      this.#onEnd()
    }
  }

  get isRunning(): boolean {
    return this.#running > 0
  }

  /** Replaces the trigger. The next run is due when the new one says. */
  reschedule(trigger: TriggerView): void {
    this.#trigger = trigger
    this.restart()
  }

  /** Forgets when a run was due: the job was stopped or started meanwhile. */
  restart(): void {
    this.#dueAt = this.#next()
  }

  read(): ScheduledTaskState {
    const nextExecution = this.#next()
    // Without a next run the task is stopped, or its time is unknown: it cannot be late.
    this.#dueAt = nextExecution === undefined ? undefined : (this.#dueAt ?? nextExecution)
    const dueAt = this.#dueAt
    return {
      name: this.name,
      trigger: this.#trigger.shown,
      running: this.#running,
      isLate: dueAt !== undefined && this.#clock.wallTime() > dueAt + this.#lateAfter,
      nextExecution,
      lastExecution:
        this.#last ?? (this.#startedAt === undefined ? undefined : { status: 'STARTED', time: this.#startedAt }),
    }
  }

  #next(): number | undefined {
    try {
      return this.#trigger.next({
        registeredAt: this.#registeredAt,
        startedAt: this.#startedAt,
        endedAt: this.#running > 0 ? undefined : this.#endedAt,
      })
    } catch {
      return undefined
    }
  }
}

function describeException(error: unknown): TaskException {
  return { type: errorName(error), message: hideCredentials(messageOf(error)).slice(0, maxMessage) }
}
