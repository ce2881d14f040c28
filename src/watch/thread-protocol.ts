import type { MessagePort } from 'node:worker_threads'
import type { ManagementResponse } from '../http/message.ts'
import type { ServedDiagnostics } from './diagnostics/serve-diagnostics.ts'
import type { ProfileSettings } from './profile/profile-options.ts'
import type { Capture } from './recorder/capture.ts'
import type { RecorderSettings } from './recorder/recorder-options.ts'

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

/** The `workerData` of the watchdog's thread. */
export interface WatchdogTask {
  /** Shared memory with the layout of {@link heartbeat}. */
  readonly heartbeat: Int32Array
  readonly host: string
  readonly port: number
  /** The path of the liveness probe. */
  readonly path: string
  readonly stallMilliseconds: number
  /** The interval of the heartbeat, and at which the watchdog checks it. */
  readonly beatMilliseconds: number
  readonly showStack: boolean
  /** Responses that are created in advance: the thread knows no rule of HTTP. */
  readonly responses: Readonly<Record<'alive' | 'broken' | 'options' | 'notFound' | 'notAllowed', ManagementResponse>>
  /** What is served beside the liveness; `undefined` for nothing. */
  readonly diagnostics: (ServedDiagnostics & { readonly profile: ProfileSettings }) | undefined
  /** The flight recorder; `undefined` if it is off. */
  readonly recorder: RecorderSettings | undefined
  /** The path of the captures, which a response about a stall refers to. */
  readonly capturesPath: string
  /** The header fields of a response about a stall. */
  readonly stallHeaders: Readonly<Record<string, string>>
}

/**
 * The indexes in the shared memory: a counter of beats, flags that are 0 or 1, and for how many milliseconds the event
 * loop may be blocked on purpose. `beatTime` is when the last beat was, by the function of that name.
 */
export const heartbeat: Readonly<
  Record<'beats' | 'isBroken' | 'isDebugged' | 'expectedBlock' | 'beatTime' | 'length', number>
> = {
  beats: 0,
  isBroken: 1,
  isDebugged: 2,
  expectedBlock: 3,
  beatTime: 4,
  length: 5,
}

const beatTimeMask = 2 ** 31 - 1

/** Returns the low bits of a time in milliseconds since the epoch: the shared memory has numbers of 32 bits. */
export function beatTime(time: number): number {
  return time % (beatTimeMask + 1)
}

/** Returns the time of the last beat in milliseconds since the epoch, from its low bits. */
export function readBeatTime(bits: number, now: number): number {
  return now - ((beatTime(now) - bits) & beatTimeMask)
}

/** A message of the watchdog's thread to the main thread. */
export type WatchdogMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'reported'; readonly message: string }
  | { readonly kind: 'captured'; readonly capture: Capture }
  | { readonly kind: 'stallEnded'; readonly blockedMilliseconds: number; readonly stack: readonly string[] }
