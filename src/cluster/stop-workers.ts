import { endWorker } from './workers/end-worker.ts'
import { currentWorkers, primaryState } from './workers/primary-state.ts'
import { resolveOptions, type StopOptions } from './workers/worker-options.ts'

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
