import type { Runtime } from 'node:inspector'

/**
 * A sampling heap profile, as every supported version of Node returns it; the types of `node:inspector` lack its
 * samples and the ids of its nodes.
 */
export interface SamplingHeapProfile {
  readonly head: SamplingHeapProfileNode
  /** One for each sampled allocation. */
  readonly samples: readonly { readonly nodeId: number; readonly size: number; readonly ordinal: number }[]
}

/** A function as called by others. */
export interface SamplingHeapProfileNode {
  readonly callFrame: Runtime.CallFrame
  readonly id: number
  /** What the function itself allocated, in bytes, extrapolated from the samples. */
  readonly selfSize: number
  readonly children: readonly SamplingHeapProfileNode[]
}
