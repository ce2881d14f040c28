import { kindOf } from './callback.ts'
import { describeValue } from './describe-value.ts'

/** An issue that zod found in options. Its message completes the sentence "expected …". */
export interface OptionIssue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
  readonly issues?: readonly { readonly message: string }[]
}

/** The part of a zod schema that is read to suggest the names of options. */
export interface OptionSchema {
  readonly def: {
    readonly shape?: Readonly<Record<string, OptionSchema>>
    readonly innerType?: OptionSchema
    readonly valueType?: OptionSchema
    readonly element?: OptionSchema
    readonly options?: readonly OptionSchema[]
  }
}

interface OptionErrorsContext {
  readonly options: unknown
  readonly schema: OptionSchema
  /** Whether a path contains a secret, of which only the type is shown. */
  readonly isSecret: (path: readonly string[]) => boolean
}

/**
 * Returns one message per invalid option: its path, what is expected and what was received, such as
 * `health.slowCheck: expected a duration such as "5s", received 1000`, or the unknown option with a suggestion.
 */
export function describeOptionErrors(
  issues: readonly OptionIssue[],
  { options, schema, isSecret }: OptionErrorsContext,
): readonly string[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String)
    if (issue.keys !== undefined && issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => describeUnknownOption([...path, key], optionNames(schema, path)))
    }
    if (issue.code === 'invalid_key') {
      return expected(path.slice(0, -1), issue.issues?.[0]?.message ?? issue.message, describeValue(path.at(-1)))
    }
    const value = valueAt(options, issue.path)
    return expected(path, issue.message, isSecret(path) ? kindOf(value) : describeValue(value))
  })
}

function expected(path: readonly string[], description: string, received: string): string {
  return `${formatPath(path) || 'options'}: expected ${description}, received ${received}`
}

function describeUnknownOption(path: readonly string[], known: readonly string[]): string {
  const similar = mostSimilar(path.at(-1) ?? '', known)
  const suggestion = similar === undefined ? '' : `; did you mean "${formatPath([...path.slice(0, -1), similar])}"?`
  return `unknown option "${formatPath(path)}"${suggestion}`
}

function formatPath(path: readonly string[]): string {
  return path.map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
}

function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], options)
}

/** Returns the names of the options that the schema has at a path. */
function optionNames({ def }: OptionSchema, path: readonly string[]): readonly string[] {
  const { shape, innerType, valueType, element, options } = def
  if (innerType !== undefined) return optionNames(innerType, path)
  if (options !== undefined) return options.flatMap((option) => optionNames(option, path))
  const [name, ...rest] = path
  if (name === undefined) return Object.keys(shape ?? {})
  const next = shape?.[name] ?? valueType ?? element
  return next === undefined ? [] : optionNames(next, rest)
}

/** Names with more differences than this are not suggested. */
const maxDistance = 2

function mostSimilar(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => [each, editDistance(name.toLowerCase(), each.toLowerCase())] as const)
    .filter(([each, distance]) => distance <= maxDistance && distance <= each.length / 2)
  return ranked.sort(([, a], [, b]) => a - b)[0]?.[0]
}

/** Returns the Levenshtein distance: how many letters have to be inserted, deleted or replaced. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
