/** What a check of options found wrong, as zod tells it. */
export interface OptionIssue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
  readonly issues?: readonly { readonly message: string }[]
}

/**
 * What a programmer is told of options that are not what they may be: the path of each, what it may be, and what it was;
 * of what `isSecret` holds for, only of which type it was.
 */
export function describeOptionErrors(
  options: unknown,
  issues: readonly OptionIssue[],
  isSecret: (path: readonly string[]) => boolean,
): readonly string[] {
  return issues.map((issue) => {
    const at = issue.path.map(String)
    if (issue.keys !== undefined && issue.code === 'unrecognized_keys') {
      return `${issue.keys.map((key) => formatPath([...at, key])).join(', ')} is no option that there is`
    }
    if (issue.code === 'invalid_key') return `${formatPath(at)} ${issue.issues?.[0]?.message}`
    const value = valueAt(options, issue.path)
    return `${at.length === 0 ? 'options' : formatPath(at)} ${issue.message}, not ${isSecret(at) ? kindOf(value) : show(value)}`
  })
}

function formatPath(path: readonly string[]): string {
  return path.map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
}

function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], options)
}

/** What was passed, where it is short; what it is, where it could be half the application. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'function' || (typeof value === 'object' && value !== null) ? kindOf(value) : String(value)
}

function kindOf(value: unknown): string {
  return Array.isArray(value)
    ? 'a list'
    : value === null
      ? 'null'
      : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}
