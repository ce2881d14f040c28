import type { MessagePort } from 'node:worker_threads'
import type { WatchdogTask } from './watchdog-protocol.ts'

/** The `workerData` of the thread. */
export interface ThreadTask {
  /** Through which the main thread requests diagnostics. */
  readonly operations: MessagePort
  /** Why the main thread cannot be inspected; `undefined` if it can. */
  readonly missingInspector: string | undefined
  /** What the watchdog does; `undefined` if the thread is for diagnostics only. */
  readonly watchdog: WatchdogTask | undefined
}
