import type { HeapDumpInput, HeapDumpOutput } from '../heap/heap-dump-operation.ts'
import type { ProfileInput, ProfileOutput } from '../profile/profile-operation.ts'
import type {
  CaptureListInput,
  CaptureListOutput,
  CaptureReadInput,
  CaptureReadOutput,
  RecordInput,
  RecordOutput,
} from '../recorder/capture-operation.ts'
import type { ThreadDumpInput, ThreadDumpOutput } from '../threads/thread-dump-operation.ts'

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
