import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import type { Report } from '../../base/report.ts'
import { findMissingFiles } from '../diagnostics/mechanisms.ts'
import type { ProfileSettings } from '../profile/profile-options.ts'
import type { Capture } from './capture.ts'

/** How many errors are a burst. @experimental */
export interface ErrorBurstOptions {
  /** Failed requests (5xx), or log records of level error. @default 50 */
  readonly count?: number | undefined
  /** @default '10s' */
  readonly within?: Duration | undefined
}

/** The flight recorder: which evidence is captured by itself, and how much of it is kept. @experimental */
export interface RecorderOptions {
  /** How long the event loop is blocked before the block is profiled; `false` for never. @default '1s' */
  readonly blockedLoop?: Duration | false | undefined
  /**
   * The share of the container's memory limit from which on the memory that is allocated is profiled; `false` for
   * never. @default 0.85
   */
  readonly memory?: number | false | undefined
  /**
   * How long a request takes before it is captured, with a profile of the time after it; `false` for never. Streams of
   * events are left out. @default '10s'
   */
  readonly slowRequest?: Duration | false | undefined
  /** How many errors are captured with the last failed requests; `false` for never. @default 50 within 10 s */
  readonly errorBurst?: ErrorBurstOptions | false | undefined
  /** Whether a report of the process is captured before an uncaught exception ends it. @default true */
  readonly uncaughtException?: boolean | undefined
  /** How long a profile lasts at most. That of a block ends with the block. @default '5s' */
  readonly duration?: Duration | undefined
  /** The least time between two captures of a rule. Others meanwhile are counted. @default '1m' */
  readonly interval?: Duration | undefined
  /** How many captures are kept in memory, and how many in the directory. @default 20 */
  readonly maximumCaptures?: number | undefined
  /** How many bytes of captures are kept in memory. @default 16777216 */
  readonly maximumBytes?: number | undefined
  /**
   * Where captures are written instead: a directory that only this user may access. It is created if it does not exist.
   * @default none
   */
  readonly directory?: string | undefined
  /** How many bytes of captures are kept in the directory. @default 134217728 */
  readonly maximumDirectoryBytes?: number | undefined
  /** Called with each capture when it is complete. @default none */
  readonly onCapture?: ((capture: Capture) => unknown) | undefined
}

/** `RecorderOptions` with the defaults applied, as a structured clone. */
export interface RecorderSettings {
  /** `undefined` if blocks are not profiled. */
  readonly blockedLoopMilliseconds: number | undefined
  /** `undefined` if the memory is not watched. */
  readonly memoryShare: number | undefined
  readonly seconds: number
  readonly intervalMilliseconds: number
  readonly maximumCaptures: number
  readonly maximumBytes: number
  readonly directory: string | undefined
  readonly maximumDirectoryBytes: number
  readonly profile: ProfileSettings
}

/** Applies the defaults. `profile` has the settings of profiles. `report` is called if the directory may not be used. */
export function recorderSettings(
  {
    blockedLoop = '1s',
    memory = 0.85,
    duration = '5s',
    interval = '1m',
    maximumCaptures = 20,
    maximumBytes = 16 * 2 ** 20,
    directory,
    maximumDirectoryBytes = 128 * 2 ** 20,
  }: RecorderOptions,
  profile: ProfileSettings,
  report: Report,
): RecorderSettings {
  const missing = directory === undefined ? undefined : findMissingFiles(directory)
  if (missing !== undefined) report(directoryUnused(missing))
  return {
    blockedLoopMilliseconds:
      blockedLoop === false ? undefined : durationMilliseconds(blockedLoop, 'recorder.blockedLoop'),
    memoryShare: memory === false ? undefined : memory,
    seconds: durationMilliseconds(duration, 'recorder.duration') / 1_000,
    intervalMilliseconds: durationMilliseconds(interval, 'recorder.interval'),
    maximumCaptures,
    maximumBytes,
    directory: missing === undefined ? directory : undefined,
    maximumDirectoryBytes,
    profile,
  }
}

/** Returns the message about a directory that cannot be used, with the reason. */
export function directoryUnused(reason: string): string {
  return `recorder: captures are kept in memory, because the directory cannot be used: ${reason}`
}
