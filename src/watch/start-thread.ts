/// <reference path="../base/worker-source.d.ts" />
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { findMissingInspector } from './diagnostics/mechanisms.ts'
import { attachWorkers } from './inspector/worker-targets.ts'
import { restoreInlining } from './profile/separate-functions.ts'
import { source as program } from './thread-program.ts?worker-source'
import { type ThreadTask, unfinished, type WatchdogTask } from './thread-protocol.ts'

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

/**
 * Resumes the worker threads that are paused, for the main thread: when the diagnosing thread ends during a dump, those
 * that it has paused would stay so for good. Does not keep the process alive.
 */
async function resumeThreads(): Promise<void> {
  const session = new (process.getBuiltinModule('node:inspector').Session)()
  session.connect()
  const workers = attachWorkers(session, (target) => {
    for (const command of ['Debugger.enable', 'Debugger.resume'] as const) target.post(command).catch(() => {})
    target.detach()
  })
  try {
    await workers.ready
  } finally {
    workers.close()
    session.disconnect()
  }
}
