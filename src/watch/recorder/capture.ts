import { notify } from '../../base/callback.ts'
import type { Report } from '../../base/report.ts'

/** The rules by which the flight recorder captures evidence. */
export const captureRules = ['blocked-loop', 'memory', 'slow-request', 'error-burst', 'uncaught-exception'] as const

/** A rule of the flight recorder. @experimental */
export type CaptureRule = (typeof captureRules)[number]

/** Evidence that the flight recorder has captured, without its content. @experimental */
export interface Capture {
  /** Such as `20260131T235959-blocked-loop-3fa9c1`: its path below `captures`. */
  readonly id: string
  readonly rule: CaptureRule
  /** When the rule applied, in ISO 8601. */
  readonly time: string
  /** What happened, in one line. */
  readonly reason: string
  /** The content: a profile of time or of memory of the main thread, or a JSON document. */
  readonly type: 'wall' | 'heap' | 'report'
  /** The size of the content as it is stored, in bytes. */
  readonly bytes: number
  /** What is known beside the content, such as the stack of a blocked event loop. Contains no messages of errors. */
  readonly details: Readonly<Record<string, unknown>>
}

/** What a rule has found. */
export interface Finding {
  readonly rule: CaptureRule
  readonly reason: string
  /** In milliseconds since the epoch. */
  readonly time: number
  readonly details: Readonly<Record<string, unknown>>
  /** Chosen by a rule that announces the capture itself. @default a new one, which is announced */
  readonly id?: string | undefined
}

/** How a profile was recorded: what its encoding needs. */
export interface CapturedRecording {
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  readonly seconds: number
  readonly intervalMilliseconds: number
  readonly samplingBytes: number
  readonly separateFunctions: boolean
}

/** A capture as it is stored. Its content is JSON: a report, or a profile as V8 returns it, with sanitized URLs. */
export interface StoredCapture extends Capture {
  /** `undefined` for a report. */
  readonly recording: CapturedRecording | undefined
}

/** Returns an identifier that no other process uses; `time` is in milliseconds since the epoch. */
export function createCaptureId(rule: CaptureRule, time: number): string {
  const suffix = process.getBuiltinModule('node:crypto').randomBytes(3).toString('hex')
  const second = new Date(time).toISOString().replace(/\..*|[-:]/g, '')
  return `${second}-${rule}-${suffix}`
}

/** Whether a text is an identifier of a capture, and so the name of a file without a path. */
export function isCaptureId(text: string): boolean {
  return /^\d{8}T\d{6}-[a-z-]{1,20}-[\da-f]{6}$/.test(text)
}

/** Returns a stored capture without what only its encoding needs. */
export function publicCapture({ id, rule, time, reason, type, bytes, details }: StoredCapture): Capture {
  return { id, rule, time, reason, type, bytes, details }
}

/** Reports a capture in one line, and calls `onCapture`. Never throws. */
export function announceCapture(
  capture: Capture,
  report: Report,
  onCapture: ((capture: Capture) => unknown) | undefined,
): void {
  report(`recorder: ${capture.reason}: captures/${capture.id}`)
  if (onCapture === undefined) return
  notify(onCapture, [capture], (error) => report('recorder: onCapture failed', error))
}
