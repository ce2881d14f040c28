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
export interface ProfileOutput {
  readonly bytes: Uint8Array
}
