import { kindOf } from './callback.ts'
import { describeValue } from './describe-value.ts'
import { describeUnknownOption, type ForeignNames, formatPath } from './unknown-option.ts'

/** An issue that zod found in options. Its message completes the sentence "expected …". */
export interface OptionIssue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
  readonly issues?: readonly { readonly message: string }[]
  /** Of a union: the issues of each of its alternatives. */
  readonly errors?: readonly (readonly OptionIssue[])[]
}

/** The part of a zod schema that is read to suggest the names of options. */
export interface OptionSchema {
  readonly foreignNames?: ForeignNames
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

/** Adds the names that other libraries have for the options of an object to its schema. */
export function withForeignNames<S extends object>(schema: S, foreignNames: ForeignNames): S {
  return Object.assign(schema, { foreignNames })
}

/**
 * Returns one message per invalid option: its path, what is expected and what was received, such as
 * `health.slowCheck: expected a duration such as "5s", received 1000`, or the unknown option and what to write instead.
 */
export function describeOptionErrors(issues: readonly OptionIssue[], context: OptionErrorsContext): readonly string[] {
  const { options, schema, isSecret } = context
  return issues.flatMap((issue) => {
    // Of a union, the alternative that was meant: the only one of which the value itself is valid, and members are not.
    const meant = issue.errors?.filter((each) => each.every((inner) => inner.path.length > 0))
    if (meant?.length === 1) {
      const inner = meant.flat().map((each) => ({ ...each, path: [...issue.path, ...each.path] }))
      return describeOptionErrors(inner, context)
    }
    const path = issue.path.map(String)
    if (issue.keys !== undefined) {
      const objects = objectsAt(schema, path)
      const known = objects.flatMap(({ def }) => Object.keys(def.shape ?? {}))
      const foreignNames = Object.assign({}, ...objects.map((object) => object.foreignNames))
      return issue.keys.map((key) => describeUnknownOption([...path, key], known, foreignNames))
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

function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], options)
}

/** Returns the schemas of the objects that may be at a path: several for a union. */
function objectsAt(schema: OptionSchema, path: readonly string[]): readonly OptionSchema[] {
  const { shape, innerType, valueType, element, options } = schema.def
  if (innerType !== undefined) return objectsAt(innerType, path)
  if (options !== undefined) return options.flatMap((option) => objectsAt(option, path))
  const [name, ...rest] = path
  if (name === undefined) return shape === undefined ? [] : [schema]
  const next = shape?.[name] ?? valueType ?? element
  return next === undefined ? [] : objectsAt(next, rest)
}
