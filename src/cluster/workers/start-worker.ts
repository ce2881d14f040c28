import type { Worker } from 'node:cluster'
import { untilAborted } from '../../base/abortable.ts'
import { replyOf, requestOf } from './worker-request.ts'

interface StartOptions {
  readonly startMilliseconds: number
  /** Resolves when the application regards a worker that listens as ready. */
  readonly ready: (worker: Worker, signal: AbortSignal) => unknown
}

/**
 * Waits until a new worker listens and is ready: all servers of its `shutdownGracefully` listen, and its availability
 * accepts traffic. Rejects if it exits before, or if that takes too long.
 */
export async function untilStarted(worker: Worker, { startMilliseconds, ready }: StartOptions): Promise<void> {
  const failed = new AbortController()
  let progress = 'did not listen'
  const fail = (what: string): void => failed.abort(new Error(`the new worker ${what}; it ${progress}`))
  const timer = setTimeout(() => fail(`is not ready after ${startMilliseconds} ms`), startMilliseconds)
  const onExit = (code: number | null, signal: string | null): void => fail(`exited with ${signal || code}`)
  worker.once('exit', onExit)
  try {
    await untilAborted(firstListening(worker), failed.signal)
    progress = 'listened, but did not accept traffic'
    await untilAborted(acceptsTraffic(worker, failed.signal), failed.signal)
    progress = 'accepted traffic, but the option "ready" did not settle'
    await untilAborted(Promise.resolve(ready(worker, failed.signal)), failed.signal)
  } finally {
    clearTimeout(timer)
    worker.off('exit', onExit)
    // Ends what waits for the worker.
    failed.abort()
  }
}

function firstListening(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => void worker.once('listening', resolve))
}

/** Resolves immediately for a worker that does not call `shutdownGracefully`. */
async function acceptsTraffic(worker: Worker, signal: AbortSignal): Promise<void> {
  // Both replies can arrive at the same time.
  const isReady = replyOf(worker, 'upkeep:ready', signal)
  if (await requestOf(worker, { type: 'upkeep:readiness' })) await isReady
}
