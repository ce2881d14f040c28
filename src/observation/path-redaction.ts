import { redactPath } from '../paths/redact-path.ts'
import type { Report } from '../report.ts'

/** Returns a path without its query as it may be recorded; `template` is that of its route, where it is known. */
export type RedactPath = (path: string, template?: string) => string

/** Puts a function of the application's before the default, which also serves where that throws or returns no string. */
export function createPathRedaction(
  redact: ((path: string, template: string | undefined) => string | undefined) | undefined,
  report: Report,
): RedactPath {
  if (redact === undefined) return redactPath
  let hasReported = false
  const fail = (error: unknown): void => {
    if (!hasReported) report('observation.redactPath failed; paths are redacted by default instead', error)
    hasReported = true
  }
  return (path, template) => {
    try {
      const redacted: unknown = redact(path, template)
      if (typeof redacted === 'string') return redacted
      if (redacted !== undefined) {
        fail(new TypeError(`observation.redactPath: expected a string or undefined, received ${typeof redacted}`))
        if (redacted instanceof Promise) redacted.catch(() => {})
      }
    } catch (error) {
      fail(error)
    }
    return redactPath(path, template)
  }
}
