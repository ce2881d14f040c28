/** A heap snapshot of the main thread, as it is requested from the diagnosing thread. */
export interface HeapDumpInput {
  /** An empty file in a directory of its own. Both are removed before the snapshot is written. */
  readonly path: string
}

/** The snapshot has been written. */
export interface HeapDumpOutput {
  readonly bytes: number
}
