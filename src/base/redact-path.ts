/** Replaces a secret, as OpenTelemetry does in the query of `url.full`. */
const redacted = 'REDACTED'

/** Matches names of route variables whose value is a secret, and segments that are followed by one. */
const secretName = /key|token|secret|password|code/i

/**
 * Matches segments that are part of a route: lower-case words such as `reset-password` or `index.html`, or a version.
 */
const staticText = /^(?:\.?[a-z]{1,16}(?:[-_.][a-z]{1,16}){0,3}|v\d{1,3})$/

/** Matches a variable that is exactly one segment: `:id`, `{id}`. */
const oneVariable = /^(?::\w+|\{\w+\})$/

/** Matches a segment of a template that contains a variable, in the syntax of any framework. */
const anyVariable = /[:{*(]/

/**
 * Returns a path that may be recorded in spans, logs and reports. Never throws.
 *
 * With the template of its route, the value of each variable whose name contains `key`, `token`, `secret`, `password`
 * or `code` becomes `REDACTED`. Without a template, and after the first segment that does not match it, any segment
 * could be a secret. Only lower-case words and versions are kept there, unless they follow a segment of such a name.
 */
export function redactPath(path: string, template?: string): string {
  if (path === '*') return path
  const segments = path.split('/')
  const pattern = template === undefined ? [] : template.split('/')
  const mismatch = segments.findIndex((segment, at) => !matches(segment, pattern[at]))
  const matched = mismatch === -1 ? segments.length : mismatch
  const isSecretRest = pattern.slice(matched).some(isSecretVariable)
  return segments
    .map((segment, at) => {
      if (at < matched) return isSecretVariable(pattern[at] ?? '') ? redacted : segment
      if (segment === '') return segment
      const isKept = !isSecretRest && staticText.test(segment) && !secretName.test(segments[at - 1] ?? '')
      return isKept ? segment : redacted
    })
    .join('/')
}

function matches(segment: string, expected: string | undefined): boolean {
  if (expected === undefined) return false
  return oneVariable.test(expected) || expected.toLowerCase() === segment.toLowerCase()
}

function isSecretVariable(expected: string): boolean {
  return anyVariable.test(expected) && secretName.test(expected)
}
