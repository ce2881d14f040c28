/// <reference path="../base/worker-source.d.ts" />
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { findMissingInspector } from './diagnostics/mechanisms.ts'
import { restoreInlining } from './profile/separate-functions.ts'
import { source as program } from './thread-program.ts?worker-source'
import { type ThreadTask, unfinished } from './thread-task.ts'
import { resumeThreads } from './threads/resume-threads.ts'
import type { WatchdogTask } from './watchdog-protocol.ts'

/** Starts the thread of the watchdog and of diagnostics; `port` is that for requests of diagnostics. */
export function startThread(watchdog?: WatchdogTask): { readonly worker: Worker; readonly port: MessagePort } {
  const { port1: port, port2: operations } = new MessageChannel()
  const flags = new Int32Array(new SharedArrayBuffer(unfinished.length * Int32Array.BYTES_PER_ELEMENT))
  const missingInspector = findMissingInspector()
  const workerData: ThreadTask = { operations, missingInspector, unfinished: flags, watchdog }
  // Without the options and the environment of the process, so that its preloaded modules are not loaded twice.
  const worker = new Worker(program, {
    ...{ eval: true, workerData, transferList: [operations] },
    ...{ execArgv: [], env: {}, name: 'upkeep' },
  })
  worker.once('exit', () => restoreProcess(flags))
  return { worker, port }
}

/** Restores what the thread has changed, if it has ended before it could. */
function restoreProcess(flags: Int32Array): void {
  restoreInlining(flags)
  // Where it cannot connect, it could not pause a thread either.
  if (Atomics.load(flags, unfinished.threadsPaused) === 1) resumeThreads().catch(() => {})
}
