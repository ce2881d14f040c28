import type { Worker } from 'node:cluster'
import { untilAborted } from '../../base/abortable.ts'
import { messageOf, notify } from '../../base/callback.ts'
import { failure } from '../../base/errors.ts'
import { currentWorkers, primaryState, type ReloadResult, type ReplacedWorker } from './primary-state.ts'
import { endWorker } from './stop-workers.ts'
import { type ReloadOptions, requireSignal, resolveOptions, type WorkerSettings } from './worker-options.ts'
import { replyOf, requestOf } from './worker-request.ts'

/**
 * Replaces the workers of `node:cluster`, one after another, without losing requests: starts a new worker, waits until
 * it is ready, and shuts the old one down. That is done by its `shutdownGracefully`, without the delay, or by `SIGTERM`
 * if it has none. Workers that are forked meanwhile are not replaced. A call during a reload returns its result.
 *
 * Rejects if a new worker exits or is not ready in time: the workers that have not been replaced stay.
 *
 * @throws TypeError if an option is invalid, and Error if the process is not a primary.
 */
export function reloadWorkers(options: ReloadOptions = {}): Promise<ReloadResult> {
  const settings = resolveOptions('reloadWorkers', options)
  const workers = currentWorkers('reloadWorkers').filter(isServing)
  const state = primaryState()
  state.reload ??= replaceAll(workers, settings).finally(() => {
    state.reload = undefined
  })
  return state.reload
}

/**
 * Calls `reloadWorkers` at each signal. Returns an unsubscribe function, which restores the default effect of the
 * signal. A reload that fails is reported.
 *
 * @throws TypeError if an option is invalid, and Error if the process is not a primary.
 */
export function reloadOnSignal(signal: NodeJS.Signals = 'SIGHUP', options: ReloadOptions = {}): () => void {
  requireSignal('reloadOnSignal', signal)
  const { report } = resolveOptions('reloadOnSignal', options)
  currentWorkers('reloadOnSignal')
  const reload = (): void => notify(reloadWorkers, [options], (error) => report(messageOf(error)))
  process.on(signal, reload)
  return () => void process.off(signal, reload)
}

async function replaceAll(workers: readonly Worker[], settings: WorkerSettings): Promise<ReloadResult> {
  const replaced: ReplacedWorker[] = []
  for (const worker of workers) {
    // One that has ended meanwhile is replaced by the application, if at all.
    if (!isServing(worker)) continue
    try {
      replaced.push(await replace(worker, settings))
    } catch (error) {
      const progress = `${replaced.length} of ${workers.length} workers have been replaced`
      throw failure('UPKEEP_EWORKERS', `reloadWorkers: ${messageOf(error)}; ${progress}`, { cause: error })
    }
  }
  return { replaced }
}

async function replace(worker: Worker, settings: WorkerSettings): Promise<ReplacedWorker> {
  const replacement = await startReplacement(worker, settings)
  const end = await endWorker(worker, { ...settings, reason: 'reload', all: false })
  settings.report(`reload: worker ${worker.id} ${end}, replaced by worker ${replacement.id}`)
  return { id: worker.id, replacement: replacement.id, end }
}

async function startReplacement(worker: Worker, { fork, ...settings }: WorkerSettings): Promise<Worker> {
  requireRunning()
  const replacement = fork(worker)
  // None is needed for a worker that has a replacement, and none for a replacement that does not start.
  const forkAgain = [preventFork(worker), preventFork(replacement)]
  try {
    await untilStarted(replacement, settings)
    requireRunning()
    return replacement
  } catch (error) {
    await endWorker(replacement, { ...settings, reason: 'reload failed', all: false })
    if (worker.isDead() && !primaryState().isStopping) fork(worker)
    throw error
  } finally {
    for (const each of forkAgain) each()
  }
}

/**
 * Prevents the application from forking a worker when this one exits, as applications do for workers that crash.
 * Returns a function that ends that.
 */
function preventFork(worker: Worker): () => void {
  // Not set before: the primary ignores what such a worker requests, such as listening.
  const mark = (): void => {
    worker.exitedAfterDisconnect = true
  }
  worker.prependListener('disconnect', mark).prependListener('exit', mark)
  return () => void worker.off('disconnect', mark).off('exit', mark)
}

function requireRunning(): void {
  if (primaryState().isStopping) throw failure('UPKEEP_ESTATE', 'the workers are being stopped')
}

function isServing(worker: Worker): boolean {
  return !worker.isDead() && !worker.exitedAfterDisconnect
}

interface StartOptions {
  readonly startMilliseconds: number
  /** Resolves when the application regards a worker that listens as ready. */
  readonly ready: (worker: Worker, signal: AbortSignal) => unknown
}

/**
 * Waits until a new worker listens and is ready: all servers of its `shutdownGracefully` listen, and its availability
 * accepts traffic. Rejects if it exits before, or if that takes too long.
 */
async function untilStarted(worker: Worker, { startMilliseconds, ready }: StartOptions): Promise<void> {
  const failed = new AbortController()
  let progress = 'did not listen'
  const fail = (what: string): void =>
    failed.abort(failure('UPKEEP_EWORKERS', `the new worker ${what}; it ${progress}`))
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
