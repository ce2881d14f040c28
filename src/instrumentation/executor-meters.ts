import { invalidOption } from '../base/errors.ts'
import type { Meter } from '../metrics/meter.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { replaceMethod } from './replaced-method.ts'

/** A pool of workers of piscina, tinypool or workerpool. */
export type WorkerPool = PiscinaPool | WorkerpoolPool

/**
 * Measures a pool of worker threads by the names of Micrometer, with the tag `name`: the gauges `executor.active`,
 * `executor.pool.size`, `.pool.core` and `.pool.max` (threads), `executor.queued` and `.queue.remaining` (tasks), and
 * the counter `executor.completed`. Returns a function that stops measuring and removes the meters.
 *
 * @throws TypeError for an unknown pool or an empty name.
 */
export function executorMeters(meters: MeterRegistry, name: string, executor: WorkerPool): () => void {
  if (typeof name !== 'string' || name === '') throw invalidOption('executorMeters: name: expected a non-empty string')
  const { active, size, core, max, queued, maxQueue, completed, stop } = viewExecutor(executor)
  const tags = { name }
  const gauge = (what: string, baseUnit: 'threads' | 'tasks', read: () => number, description: string) =>
    meters.gauge(`executor.${what}`, tags, read, { description, baseUnit })
  const made: readonly Meter[] = [
    gauge('active', 'threads', active, 'Workers that run a task'),
    gauge('pool.size', 'threads', size, 'Workers of the pool'),
    gauge('pool.core', 'threads', core, 'Minimum number of workers'),
    gauge('pool.max', 'threads', max, 'Maximum number of workers'),
    gauge('queued', 'tasks', queued, 'Tasks that wait for a worker'),
    gauge('queue.remaining', 'tasks', () => maxQueue() - queued(), 'Further tasks that may wait'),
    meters.functionCounter('executor.completed', tags, completed, {
      description: 'Tasks that have ended',
      baseUnit: 'tasks',
    }),
  ]
  return () => {
    stop()
    for (const meter of made) meters.remove(meter)
  }
}

function viewExecutor(executor: WorkerPool): ExecutorView {
  const isObject = typeof executor === 'object' && executor !== null
  if (isObject && isPiscina(executor)) return viewPiscina(executor)
  if (isObject && isWorkerpool(executor)) return viewWorkerpool(executor)
  throw invalidOption('executorMeters: executor: expected a pool of piscina, tinypool or workerpool')
}

/** A pool of worker threads or processes, as its meters read it. */
interface ExecutorView {
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

/** A `Piscina` or `Tinypool`. */
export interface PiscinaPool {
  readonly threads: readonly unknown[]
  readonly queueSize: number
  readonly completed: number
  readonly options: { readonly minThreads: number; readonly maxThreads: number; readonly maxQueue: number }
  run: unknown
}

function isPiscina(executor: object): executor is PiscinaPool {
  return 'threads' in executor && 'queueSize' in executor && 'completed' in executor && 'run' in executor
}

/** Tasks that run are those that were submitted and neither wait nor have ended; a thread may run several of them. */
function viewPiscina(pool: PiscinaPool): ExecutorView {
  let pending = 0
  const stop = replaceMethod(pool, 'run', (run, self, args) => {
    const task = run.apply(self, args) as Promise<unknown>
    pending += 1
    // Its result is returned and not `task`, whose rejection would otherwise count as handled.
    return task.finally(() => {
      pending -= 1
    })
  })
  return {
    active: () => Math.min(pool.threads.length, Math.max(0, pending - pool.queueSize)),
    size: () => pool.threads.length,
    core: () => pool.options.minThreads,
    max: () => pool.options.maxThreads,
    queued: () => pool.queueSize,
    maxQueue: () => pool.options.maxQueue,
    completed: () => pool.completed,
    stop,
  }
}

/** A `Pool` of workerpool. */
export interface WorkerpoolPool {
  stats(): { readonly totalWorkers: number; readonly busyWorkers: number; readonly pendingTasks: number }
  exec: unknown
}

/** Options that the pool has as members, but its types do not. */
interface Limits {
  readonly minWorkers?: unknown
  readonly maxWorkers?: unknown
  readonly maxQueueSize?: unknown
}

function isWorkerpool(executor: object): executor is WorkerpoolPool {
  return 'stats' in executor && typeof executor.stats === 'function' && 'exec' in executor
}

function viewWorkerpool(pool: WorkerpoolPool & Limits): ExecutorView {
  let completed = 0
  const count = () => {
    completed += 1
  }
  let isNested = false
  const stop = replaceMethod(pool, 'exec', (exec, self, args) => {
    // With a function in place of a name it calls itself.
    if (isNested) return exec.apply(self, args)
    isNested = true
    try {
      const task = exec.apply(self, args) as PromiseLike<unknown>
      task.then(count, count)
      return task
    } finally {
      isNested = false
    }
  })
  return {
    active: () => pool.stats().busyWorkers,
    size: () => pool.stats().totalWorkers,
    // The pool keeps no worker unless the option is set.
    core: () => (pool.minWorkers === undefined ? 0 : Number(pool.minWorkers)),
    max: () => Number(pool.maxWorkers),
    queued: () => pool.stats().pendingTasks,
    maxQueue: () => Number(pool.maxQueueSize),
    completed: () => completed,
    stop,
  }
}
