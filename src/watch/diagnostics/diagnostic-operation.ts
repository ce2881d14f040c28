import type { Capture, Finding } from '../recorder/capture.ts'

interface Operation<Input, Output> {
  readonly input: Input
  readonly output: Output
}

/**
 * The operations of the diagnosing thread. Inputs and outputs are structured clones; a `Uint8Array` that is a member of
 * an output is transferred, not copied.
 */
interface DiagnosticOperations {
  readonly profile: Operation<ProfileInput, ProfileOutput>
  readonly heapdump: Operation<HeapDumpInput, HeapDumpOutput>
  readonly threaddump: Operation<ThreadDumpInput, ThreadDumpOutput>
  readonly captures: Operation<CaptureListInput, CaptureListOutput>
  readonly capture: Operation<CaptureReadInput, CaptureReadOutput>
  readonly record: Operation<RecordInput, RecordOutput>
}

export type OperationName = keyof DiagnosticOperations
export type InputOf<Name extends OperationName> = DiagnosticOperations[Name]['input']
export type OutputOf<Name extends OperationName> = DiagnosticOperations[Name]['output']

/**
 * Runs an operation: from the main thread through a port, in the diagnosing thread directly. Rejects with an HttpError
 * that the client may see, such as a 409 or a 501, and with the reason of the signal when that aborts.
 */
export type RunOperation = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  signal: AbortSignal,
) => Promise<OutputOf<Name>>

/** The implementation of each operation, in the diagnosing thread. */
export type OperationHandlers = {
  readonly [Name in OperationName]: (input: InputOf<Name>, signal: AbortSignal) => Promise<OutputOf<Name>>
}

/** Time by function, live memory by function, or all memory that was allocated meanwhile. */
export type ProfileType = 'wall' | 'heap' | 'allocs'

export const profileFormats = ['pprof', 'cpuprofile', 'folded', 'flamegraph'] as const

export type ProfileFormat = (typeof profileFormats)[number]

/** A profile, as it is requested from the diagnosing thread. */
export interface ProfileInput {
  readonly type: ProfileType
  readonly format: ProfileFormat
  readonly seconds: number
  /** Of `wall`. */
  readonly intervalMilliseconds: number
  /** Of `heap` and `allocs`: the average number of bytes between two samples. */
  readonly samplingBytes: number
  /** Whether functions that V8 would inline are distinguished from their callers. */
  readonly separateFunctions: boolean
  /** Restricts the profile: `main`, or the id of a worker thread. `cpuprofile` has one thread. @default all */
  readonly thread: string | undefined
  /** Allows one style and one script in a page. */
  readonly nonce: string
}

/** A profile, encoded. */
interface ProfileOutput {
  readonly bytes: Uint8Array
}

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
type ThreadDumpInput = Readonly<Record<string, never>>

/** The main thread first, then the worker threads in the order of their start. */
export interface ThreadDumpOutput {
  readonly threads: readonly ThreadStack[]
}

export const maxFrames = 256

/** A heap snapshot of the main thread, as it is requested from the diagnosing thread. */
interface HeapDumpInput {
  /** An empty file in a directory of its own. Both are removed before the snapshot is written. */
  readonly path: string
}

/** The snapshot has been written. */
interface HeapDumpOutput {
  readonly bytes: number
}

/** Requests the list of captures. */
type CaptureListInput = Readonly<Record<string, never>>

/** The captures, the latest first. */
export interface CaptureListOutput {
  readonly captures: readonly Capture[]
  /** How often a rule applied again too soon to be captured. */
  readonly suppressed: number
  /** How many captures were removed because of a limit. */
  readonly dropped: number
}

/** Requests the content of a capture. */
export interface CaptureReadInput {
  readonly id: string
  /** Of a profile. */
  readonly format: ProfileFormat
  /** Allows one style and one script in a page. */
  readonly nonce: string
}

/** The content; `undefined` if there is no such capture any more. */
interface CaptureReadOutput {
  readonly bytes: Uint8Array | undefined
}

/** Captures what a rule has found in the main thread. */
export interface RecordInput {
  readonly finding: Finding
  /** A profile of the following seconds, or a document. */
  readonly evidence: { readonly kind: 'profile' } | { readonly kind: 'report'; readonly document: object }
  /** Shared memory with one number, which becomes one of `recordStates` when the finding is stored or is not. */
  readonly state?: Int32Array | undefined
}

/** `undefined` if it was not captured. */
interface RecordOutput {
  readonly id: string | undefined
}

/** What the thread sets the shared memory of a `RecordInput` to. */
export const recordStates: Readonly<Record<'stored' | 'notStored', number>> = { stored: 1, notStored: 2 }
