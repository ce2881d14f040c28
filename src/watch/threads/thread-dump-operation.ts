/** One call of a stack. */
export interface StackFrame {
  /** Empty for a function without a name. */
  readonly functionName: string
  /** The URL of the script, such as `file:///app/main.js` or `node:net`, without what may be secret in it. */
  readonly url: string
  /** From 1 on; −1 if it is unknown. */
  readonly line: number
  readonly column: number
}

/**
 * What a thread does: it executes JavaScript, it waits for events, or it is inside native code, such as `JSON.parse` of
 * a large text or a synchronous system call, where its stack cannot be read.
 */
export type ThreadActivity = 'running' | 'idle' | 'native'

/** A thread and its stack at one moment. */
export interface ThreadStack {
  /** The `threadId` of `node:worker_threads`; 0 is the main thread. */
  readonly id: number
  readonly name: string
  readonly activity: ThreadActivity
  /** The innermost call first, at most 256; empty if the thread did not execute JavaScript. */
  readonly frames: readonly StackFrame[]
}

/** There is nothing to choose. */
export type ThreadDumpInput = Readonly<Record<string, never>>

/** The main thread first, then the worker threads in the order of their start. */
export interface ThreadDumpOutput {
  readonly threads: readonly ThreadStack[]
}

export const maxFrames = 256
