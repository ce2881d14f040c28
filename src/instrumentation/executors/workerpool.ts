import { replaceMethod } from '../replaced-method.ts'
import type { ExecutorView } from './executor-view.ts'

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

export function isWorkerpool(executor: object): executor is WorkerpoolPool {
  return 'stats' in executor && typeof executor.stats === 'function' && 'exec' in executor
}

export function viewWorkerpool(pool: WorkerpoolPool & Limits): ExecutorView {
  let completed = 0
  const count = () => {
    completed += 1
  }
  let isNested = false
  const stop = replaceMethod(
    pool,
    'exec',
    (exec) =>
      function (...args) {
        // With a function in place of a name it calls itself.
        if (isNested) return exec.apply(this, args)
        isNested = true
        try {
          const task = exec.apply(this, args) as PromiseLike<unknown>
          task.then(count, count)
          return task
        } finally {
          isNested = false
        }
      },
  )
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
