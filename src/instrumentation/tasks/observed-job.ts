import type { EndRun } from './task-history.ts'
import type { TriggerView } from './task-trigger.ts'

/** Where the observer of a job records its runs. */
interface RunRecorder {
  /** Runs work in a span, and records it as a run. */
  readonly run: <R>(work: () => R) => R
  /** Records the start of a run whose work the scheduler runs. Returns the function that records its end. */
  readonly start: () => EndRun
  /** Forgets when a run was due, because the job was stopped or started. */
  readonly restart: () => void
}

/** A job of a scheduler, as the registry reads it. */
export interface ObservedJob {
  /** The name that the application has given to the job. */
  readonly name: string | undefined
  readonly trigger: TriggerView
  /** Whether the job was scheduled for one date, which is over. @default it is repeated */
  readonly isOver?: () => boolean
  /** Starts recording. Returns a function that stops it. */
  readonly observe: (recorder: RunRecorder) => () => void
}

/** Whether a member of an object is a function. */
export function isFunctionAt<K extends string>(object: object, key: K): object is { [key in K]: unknown } {
  return typeof Reflect.get(object, key) === 'function'
}
