import { createSafeCall, readOptionalString } from '../../base/callback.ts'
import { redactPath } from '../../base/redact-path.ts'
import type { Report } from '../../base/report.ts'

/** Returns a path without its query as it may be recorded; `template` is that of its route, where it is known. */
export type RedactPath = (path: string, template?: string) => string

/** Puts a function of the application's before the default, which also serves where that throws or returns no string. */
export function createPathRedaction(
  redact: ((path: string, template: string | undefined) => string | undefined) | undefined,
  report: Report,
): RedactPath {
  if (redact === undefined) return redactPath
  const failed = (error: unknown): void =>
    report('observation.redactPath failed; paths are redacted by default instead', error)
  const call = createSafeCall<[path: string, template: string | undefined], string | undefined>(
    readOptionalString,
    failed,
  )
  return (path, template) => call(redact, path, template) ?? redactPath(path, template)
}
