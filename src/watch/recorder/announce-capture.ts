import { notify } from '../../base/callback.ts'
import type { Report } from '../../base/report.ts'
import type { Capture } from './capture.ts'
import type { RecorderOptions } from './recorder-options.ts'

/** Reports a capture in one line, and calls `onCapture`. Never throws. */
export function announceCapture(capture: Capture, report: Report, { onCapture }: RecorderOptions): void {
  report(`recorder: ${capture.reason}: captures/${capture.id}`)
  if (onCapture === undefined) return
  notify(onCapture, [capture], (error) => report('recorder: onCapture failed', error))
}
