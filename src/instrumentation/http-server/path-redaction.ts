import { createSafeCall, readOptionalString } from '../../base/callback.ts'
import { redactPath } from '../../base/redact-path.ts'
import type { Report } from '../../base/report.ts'

/** Redacts a path without query; `template` is that of its route, where known. */
export type RedactPath = (path: string, template?: string) => string

/** Applies the application's function, or the default if that throws or does not return a string. */
export function createPathRedaction(
  redact: ((path: string, template: string | undefined) => string | undefined) | undefined,
  report: Report,
): RedactPath {
  if (redact === undefined) return redactPath
  const failed = (error: unknown): void => report('observation.redactPath failed; using the default redaction', error)
  const call = createSafeCall<[path: string, template: string | undefined], string | undefined>(
    readOptionalString,
    failed,
  )
  return (path, template) => call(redact, path, template) ?? redactPath(path, template)
}
