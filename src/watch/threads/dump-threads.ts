import { workerData } from 'node:worker_threads'
import { untilAborted } from '../../base/abortable.ts'
import type { OperationHandlers, ThreadDumpOutput, ThreadStack } from '../diagnostics/diagnostic-operation.ts'
import type { InspectorTarget } from '../inspector/inspector-target.ts'
import { openMainSession } from '../inspector/main-session.ts'
import { attachWorkers } from '../inspector/worker-targets.ts'
import { type ThreadTask, unfinished } from '../thread-protocol.ts'
import { readStack } from './read-stack.ts'

/** Creates the operation that reads the stacks of all threads. Callers at the same time share one dump. */
export function createThreadDumper(): OperationHandlers['threaddump'] {
  let running: Promise<ThreadDumpOutput> | undefined

  return (_input, signal) => {
    running ??= dumpThreads().finally(() => {
      running = undefined
    })
    return untilAborted(running, signal)
  }
}

/**
 * Reads the stacks of the main thread and then of the worker threads, also while they are blocked. While the main
 * thread is inside native code, its worker threads cannot be reached, and are left out.
 */
async function dumpThreads(): Promise<ThreadDumpOutput> {
  const main = await readMainThread()
  const workers = main.activity === 'native' ? [] : await readWorkerThreads()
  return { threads: [main, ...workers.toSorted((one, other) => one.id - other.id)] }
}

async function readMainThread(): Promise<ThreadStack> {
  return { id: 0, name: 'main', ...(await readStack(openMainSession())) }
}

/** Through a session of its own: one that has paused the main thread cannot be used for its worker threads. */
async function readWorkerThreads(): Promise<readonly ThreadStack[]> {
  const main = openMainSession()
  // If this thread ended now, those that it has paused would stay so: the main thread resumes them then.
  const { unfinished: flags }: ThreadTask = workerData
  Atomics.store(flags, unfinished.threadsPaused, 1)
  const stacks: Promise<ThreadStack | undefined>[] = []
  const workers = attachWorkers(main.session, (target) => {
    // One that ends meanwhile is left out.
    stacks.push(readWorkerThread(target).catch(() => undefined))
  })
  try {
    await workers.ready
    return (await Promise.all(stacks)).filter((stack) => stack !== undefined)
  } finally {
    Atomics.store(flags, unfinished.threadsPaused, 0)
    workers.close()
    main.detach()
  }
}

async function readWorkerThread(target: InspectorTarget): Promise<ThreadStack> {
  return { id: Number(target.id), name: target.thread, ...(await readStack(target)) }
}
