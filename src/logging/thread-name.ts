/**
 * What the thread is called that this runs in: `main`, or the name of a worker, which Node tells from 22.20 and 24.6 on;
 * without one it is `worker-` and its number.
 */
export function threadName(): string {
  const { isMainThread, threadId, threadName: name } = loadThreads()
  if (isMainThread) return 'main'
  return name === undefined || name === '' || name === 'WorkerThread' ? `worker-${threadId}` : name
}

interface Threads {
  readonly isMainThread: boolean
  readonly threadId: number
  readonly threadName?: string | undefined
}

/** Loaded when a logger is made, and not by whoever imports upkeep. */
function loadThreads(): Threads {
  return process.getBuiltinModule('node:worker_threads')
}
