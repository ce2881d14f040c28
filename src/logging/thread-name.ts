/**
 * Returns the name of the current thread: `main`, or the name of a worker, which Node provides from 22.20 and 24.6 on;
 * otherwise `worker-` and its number.
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

/** Loaded when a logger is created, not when upkeep is imported. */
function loadThreads(): Threads {
  return process.getBuiltinModule('node:worker_threads')
}
