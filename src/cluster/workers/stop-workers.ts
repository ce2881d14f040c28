import type { Worker } from 'node:cluster'
import type { PrimaryRequest } from '../../lifecycle/shutdown/cluster-worker.ts'
import { currentWorkers, primaryState, type WorkerEnd } from './primary-state.ts'
import { resolveOptions, type StopOptions } from './worker-options.ts'
import { requestOf } from './worker-request.ts'

/** How many workers a stop has ended. */
export interface StopResult {
  /** How many have shut down. */
  readonly exited: number
  /** How many received `SIGKILL` after the timeout. */
  readonly killed: number
}

/**
 * Shuts down all workers of `node:cluster` at once, by their `shutdownGracefully`, or by `SIGTERM` for those that have
 * none. Resolves when they have exited. A hook of `shutdownGracefully` in the primary: workers exit when their primary
 * does. An active reload ends, and `reloadWorkers` rejects from then on.
 *
 * @throws TypeError if an option is invalid, and Error if the process is not a primary.
 */
export async function stopWorkers(options: StopOptions = {}): Promise<StopResult> {
  const { stopMilliseconds } = resolveOptions('stopWorkers', options)
  const workers = currentWorkers('stopWorkers')
  primaryState().isStopping = true
  const ends = await Promise.all(
    workers.map((worker) => endWorker(worker, { reason: 'the cluster stops', all: true, stopMilliseconds })),
  )
  const killed = ends.filter((end) => end === 'killed').length
  return { exited: ends.length - killed, killed }
}

/** How a worker is shut down. */
interface EndOptions {
  readonly reason: string
  /** Whether all workers shut down: each serves for the delay of its `shutdownGracefully` first. */
  readonly all: boolean
  readonly stopMilliseconds: number
}

/**
 * Shuts a worker down, by its `shutdownGracefully`, or by `SIGTERM` if it has none. Resolves when the worker has
 * exited. After the timeout it receives `SIGKILL`. A second call returns the result of the first one.
 */
export function endWorker(worker: Worker, options: EndOptions): Promise<WorkerEnd> {
  const { ending } = primaryState()
  const known = ending.get(worker)
  if (known !== undefined) return known
  const ended = end(worker, options)
  ending.set(worker, ended)
  return ended
}

async function end(worker: Worker, { reason, all, stopMilliseconds }: EndOptions): Promise<WorkerEnd> {
  // Applications fork a worker for each that exits, except for these.
  worker.exitedAfterDisconnect = true
  if (worker.isDead()) return 'exited'
  const ended = new Promise<WorkerEnd>((resolve) => {
    let result: WorkerEnd = 'exited'
    const timer = setTimeout(() => {
      result = 'killed'
      worker.process.kill('SIGKILL')
    }, stopMilliseconds)
    worker.once('exit', () => {
      clearTimeout(timer)
      resolve(result)
    })
  })
  const request: PrimaryRequest = { type: 'upkeep:shutdown', reason, all }
  if (!(await requestOf(worker, request)) && !worker.isDead()) worker.process.kill('SIGTERM')
  return ended
}
