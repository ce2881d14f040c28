/** A pool of worker threads or processes, as its meters read it. */
export interface ExecutorView {
  /** Workers that run a task. */
  readonly active: () => number
  readonly size: () => number
  /** The minimum and maximum number of workers. */
  readonly core: () => number
  readonly max: () => number
  /** Tasks that wait for a worker. */
  readonly queued: () => number
  /** The maximum number of tasks that may wait; infinite without a limit. */
  readonly maxQueue: () => number
  /** Tasks that have ended, also by an error. */
  readonly completed: () => number
  /** Stops counting. */
  readonly stop: () => void
}
