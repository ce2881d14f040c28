import cluster, { type Worker } from 'node:cluster'
import { failure } from '../../base/errors.ts'

/** How a worker ended: by itself, or by `SIGKILL` after the timeout. */
export type WorkerEnd = 'exited' | 'killed'

/** What a reload has done. */
export interface ReloadResult {
  /** The replaced workers, in order. */
  readonly replaced: readonly ReplacedWorker[]
}

/** A worker that has been replaced. */
export interface ReplacedWorker {
  /** The `id` of the worker in `node:cluster`. */
  readonly id: number
  readonly replacement: number
  readonly end: WorkerEnd
}

/** What the primary of `node:cluster` does with its workers. */
interface PrimaryState {
  /** The active reload. */
  reload: Promise<ReloadResult> | undefined
  /** The workers that have been requested to shut down. */
  readonly ending: WeakMap<Worker, Promise<WorkerEnd>>
  /** Whether all of them have been. */
  isStopping: boolean
}

// State of the process, as the workers are: all copies of this package share it.
const key = Symbol.for('upkeep.cluster.primary')
const shared = globalThis as typeof globalThis & { [key]?: PrimaryState }

/** Returns the state of this process. */
export function primaryState(): PrimaryState {
  shared[key] ??= { reload: undefined, ending: new WeakMap(), isStopping: false }
  return shared[key]
}

/**
 * Returns the workers that are running.
 *
 * @throws Error beginning with `name` unless this process is the primary of `node:cluster`.
 */
export function currentWorkers(name: string): readonly Worker[] {
  if (!cluster.isPrimary) throw failure('UPKEEP_ESTATE', `${name}: requires the primary process of node:cluster`)
  return Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isDead() === false ? [worker] : []))
}
