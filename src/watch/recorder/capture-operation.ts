import type { ProfileFormat } from '../profile/profile-operation.ts'
import type { Capture, Finding } from './capture.ts'

/** Requests the list of captures. */
export type CaptureListInput = Readonly<Record<string, never>>

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
export interface CaptureReadOutput {
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
export interface RecordOutput {
  readonly id: string | undefined
}

/** What the thread sets the shared memory of a `RecordInput` to. */
export const recordStates: Readonly<Record<'stored' | 'notStored', number>> = { stored: 1, notStored: 2 }
