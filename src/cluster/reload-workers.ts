import type { Worker } from 'node:cluster'
import { messageOf, notify } from '../base/callback.ts'
import { endWorker } from './workers/end-worker.ts'
import { currentWorkers, primaryState, type ReloadResult, type ReplacedWorker } from './workers/primary-state.ts'
import { untilStarted } from './workers/start-worker.ts'
import { type ReloadOptions, requireSignal, resolveOptions, type WorkerSettings } from './workers/worker-options.ts'

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
      throw new Error(`reloadWorkers: ${messageOf(error)}; ${progress}`, { cause: error })
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
  if (primaryState().isStopping) throw new Error('the workers are being stopped')
}

function isServing(worker: Worker): boolean {
  return !worker.isDead() && !worker.exitedAfterDisconnect
}
