import type { MessagePort } from 'node:worker_threads'
import type { WatchdogTask } from './watchdog-protocol.ts'

/** The `workerData` of the thread. */
export interface ThreadTask {
  /** Through which the main thread requests diagnostics. */
  readonly operations: MessagePort
  /** Why the main thread cannot be inspected; `undefined` if it can. */
  readonly missingInspector: string | undefined
  /** Shared memory with the layout of {@link unfinished}. */
  readonly unfinished: Int32Array
  /** What the watchdog does; `undefined` if the thread is for diagnostics only. */
  readonly watchdog: WatchdogTask | undefined
}

/**
 * The indexes in the shared memory: flags that are 1 while the thread has changed something of the whole process, which
 * the main thread restores if the thread ends meanwhile.
 */
export const unfinished: Readonly<Record<'inliningDisabled' | 'threadsPaused' | 'length', number>> = {
  /** A profile has disabled V8's inlining. */
  inliningDisabled: 0,
  /** A dump pauses worker threads. */
  threadsPaused: 1,
  length: 2,
}
