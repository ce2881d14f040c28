import type { Worker } from 'node:cluster'
import type { PrimaryRequest } from '../../lifecycle/shutdown/cluster-worker.ts'
import { primaryState, type WorkerEnd } from './primary-state.ts'
import { requestOf } from './worker-request.ts'

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
