import { type Duration, durationMilliseconds } from '../../base/duration.ts'

/** How profiles are taken, by the endpoints `profile` and `pprof`. */
export interface ProfileOptions {
  /** The interval at which stacks are sampled: at least `0.1ms`. @default '10ms' */
  readonly interval?: Duration | undefined
  /** The average number of allocated bytes between two samples of a heap profile. @default 524288 */
  readonly heapInterval?: number | undefined
  /**
   * Whether functions that V8 inlines are distinguished from their callers. While a profile is taken, no function is
   * inlined, and at its start and its end optimised code is discarded. Does not apply where coverage is measured.
   * @default true
   */
  readonly separateFunctions?: boolean | undefined
}

/** `ProfileOptions` with the defaults applied, as a structured clone. */
export interface ProfileSettings {
  readonly intervalMilliseconds: number
  readonly samplingBytes: number
  readonly separateFunctions: boolean
}

/** Applies the defaults. Called in the main thread: its environment enables coverage. */
export function profileSettings({
  interval = '10ms',
  heapInterval = 524_288,
  separateFunctions = true,
}: ProfileOptions): ProfileSettings {
  return {
    intervalMilliseconds: durationMilliseconds(interval, 'profile.interval'),
    samplingBytes: heapInterval,
    // Optimised code is discarded by coverage, which ends one that the application measures.
    separateFunctions: separateFunctions && process.env['NODE_V8_COVERAGE'] === undefined,
  }
}
