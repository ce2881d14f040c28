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
  if (template !== undefined && isOpenMatch(path, openTemplateOf(template))) return path
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

/** The segments of a template none of whose variables is a secret; `undefined` for one variable. */
type OpenTemplate = readonly (string | undefined)[]

/** Most requests have one of few templates. */
const openTemplates = /* @__PURE__ */ new Map<string, OpenTemplate | undefined>()

/** More, or longer ones, are not templates but paths. */
const maxTemplates = 1_024
const maxLength = 256

function openTemplateOf(template: string): OpenTemplate | undefined {
  if (template.length > maxLength) return undefined
  if (openTemplates.has(template)) return openTemplates.get(template)
  if (openTemplates.size >= maxTemplates) openTemplates.clear()
  const pattern = template.split('/')
  const open = pattern.some(isSecretVariable)
    ? undefined
    : pattern.map((segment) => (oneVariable.test(segment) ? undefined : segment))
  openTemplates.set(template, open)
  return open
}

/** Whether a path has exactly the segments of a template. Does not allocate. */
function isOpenMatch(path: string, template: OpenTemplate | undefined): boolean {
  if (template === undefined) return false
  let start = 0
  for (let at = 0; at < template.length; at++) {
    const slash = path.indexOf('/', start)
    const end = slash === -1 ? path.length : slash
    if ((slash === -1) !== (at === template.length - 1)) return false
    const expected = template[at]
    if (expected !== undefined && (end - start !== expected.length || !path.startsWith(expected, start))) return false
    start = end + 1
  }
  return true
}

function matches(segment: string, expected: string | undefined): boolean {
  if (expected === undefined) return false
  return oneVariable.test(expected) || expected.toLowerCase() === segment.toLowerCase()
}

function isSecretVariable(expected: string): boolean {
  return anyVariable.test(expected) && secretName.test(expected)
}
