import { ignoreRejection } from './callback.ts'

/**
 * Called when an internal error occurs that does not concern the caller: a callback that throws, a contributor that
 * fails, a meter that has reached its limit. What it throws or rejects with is ignored.
 */
export type Report = (message: string, cause?: unknown) => void

/** Wraps a report so that it never throws and its rejections are handled. */
export function contain(report: Report): Report {
  return (...args) => {
    try {
      ignoreRejection(report(...args))
    } catch {
      // An error of the report itself cannot be reported.
    }
  }
}

/** Writes to `console.error`. */
export const reportToConsole: Report = (message, cause) => {
  console.error(`upkeep: ${message}`, ...(cause === undefined ? [] : [cause]))
}
