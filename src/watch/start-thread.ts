/// <reference path="../base/worker-source.d.ts" />
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { findMissingInspector } from './diagnostics/mechanisms.ts'
import { source as program } from './thread-program.ts?worker-source'
import type { ThreadTask } from './thread-task.ts'
import type { WatchdogTask } from './watchdog-protocol.ts'

/** Starts the thread of the watchdog and of diagnostics; `port` is that for requests of diagnostics. */
export function startThread(watchdog?: WatchdogTask): { readonly worker: Worker; readonly port: MessagePort } {
  const { port1: port, port2: operations } = new MessageChannel()
  const workerData: ThreadTask = { operations, missingInspector: findMissingInspector(), watchdog }
  // Without the options and the environment of the process, so that its preloaded modules are not loaded twice.
  const worker = new Worker(program, {
    ...{ eval: true, workerData, transferList: [operations] },
    ...{ execArgv: [], env: {}, name: 'upkeep' },
  })
  return { worker, port }
}
