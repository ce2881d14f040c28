import type { Meter } from '../../metrics/meter.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { ExecutorView } from './executor-view.ts'
import { isPiscina, type PiscinaPool, viewPiscina } from './piscina.ts'
import { isWorkerpool, viewWorkerpool, type WorkerpoolPool } from './workerpool.ts'

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
  if (typeof name !== 'string' || name === '') throw new TypeError('executorMeters: name: expected a non-empty string')
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
  throw new TypeError('executorMeters: executor: expected a pool of piscina, tinypool or workerpool')
}
