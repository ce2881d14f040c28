import { replaceMethod } from '../replaced-method.ts'
import type { ExecutorView } from './executor-view.ts'

/** A `Piscina` or `Tinypool`. */
export interface PiscinaPool {
  readonly threads: readonly unknown[]
  readonly queueSize: number
  readonly completed: number
  readonly options: { readonly minThreads: number; readonly maxThreads: number; readonly maxQueue: number }
  run: unknown
}

export function isPiscina(executor: object): executor is PiscinaPool {
  return 'threads' in executor && 'queueSize' in executor && 'completed' in executor && 'run' in executor
}

/** Tasks that run are those that were submitted and neither wait nor have ended; a thread may run several of them. */
export function viewPiscina(pool: PiscinaPool): ExecutorView {
  let pending = 0
  const stop = replaceMethod(
    pool,
    'run',
    (run) =>
      function (...args) {
        const task = run.apply(this, args) as Promise<unknown>
        pending += 1
        // Its result is returned and not `task`, whose rejection would otherwise count as handled.
        return task.finally(() => {
          pending -= 1
        })
      },
  )
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
