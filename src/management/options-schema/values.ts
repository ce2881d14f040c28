import * as z from 'zod/mini'
import { parseDuration } from '../../base/duration.ts'
import type { Audience } from '../../health/visibility.ts'

/**
 * A schema for each member of an interface of options: the compiler reports a member without a schema, and a schema
 * without a member.
 */
export type Shape<Options> = { readonly [Name in keyof Required<Options>]: z.ZodMiniType }

// Functions, because building schemas at module level would slow down every import.

export const anObject = 'an object'

export function stringValue(): z.ZodMiniString {
  return z.string('a string').check(z.minLength(1, 'a non-empty string'))
}

export function flag(): z.ZodMiniBoolean {
  return z.boolean('true or false')
}

/** A duration of more than zero. */
export function duration(): z.ZodMiniString {
  const expected = 'a duration such as "5s" of more than 0'
  return z.string(expected).check(z.refine((value) => (parseDuration(value) ?? 0) > 0, expected))
}

const count = 'a whole number of 1 or more'

export function countValue(): z.ZodMiniType<number, number> {
  return z.int(count).check(z.gte(1, count))
}

/** A count, or `Infinity`. */
export function limit(): z.ZodMiniType<number, number> {
  const expected = `${count}, or Infinity`
  return z.union([z.int().check(z.gte(1, expected)), z.literal(Number.POSITIVE_INFINITY)], expected)
}

export function oneOf<const V extends readonly [string, ...string[]]>(values: V): z.ZodMiniType<V[number], V[number]> {
  return z.enum(values, `one of ${values.join(', ')}`)
}

/** Who may see something. */
export function audience(): z.ZodMiniType<Audience, Audience> {
  return oneOf(['never', 'when-authorized', 'always'])
}

export function roles(): z.ZodMiniType {
  const expected = "an array of roles, such as ['ops']"
  return z.array(stringValue(), expected).check(z.minLength(1, expected))
}

/** `expected` describes the function. */
export function functionValue<T = (...args: never[]) => unknown>(expected = 'a function'): z.ZodMiniType<T, T> {
  return z.custom<T>((value) => typeof value === 'function', `${expected}`)
}

export function objectValue<T = object>(expected: string): z.ZodMiniType<T, T> {
  return z.custom<T>((value) => typeof value === 'object' && value !== null, `${expected}`)
}
