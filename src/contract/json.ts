import { type Answer, want } from './answer.ts'

/** A JSON value; inspected by `isObject` etc. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [name: string]: Json }

/** Parses the content of a response as JSON. */
export function jsonOf(answer: Answer): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer.bytes))
  } catch {
    want(answer, false, 'content that is JSON in UTF-8')
  }
}

export function objectOf(answer: Answer): JsonObject {
  const value = jsonOf(answer)
  want(answer, isObject(value), 'a JSON object')
  return value
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function isSortedAndUnique(texts: readonly string[]): boolean {
  return texts.every((text, at) => at === 0 || text > (texts[at - 1] ?? ''))
}

/** Yields every nested member with its path. */
export function* membersOf(value: Json, way = ''): Generator<readonly [way: string, name: string, value: Json]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries<Json>(value as JsonObject)) {
    const here = way === '' ? name : `${way}.${name}`
    if (!Array.isArray(value)) yield [here, name, inner]
    yield* membersOf(inner, here)
  }
}

const scalars = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  instant: 'a time such as 2026-01-31T23:59:59.123Z',
  duration: 'a duration such as PT0.25S',
} as const

/** The form of a JSON value: a name of a scalar, an array, a map (`*`), or members, the optional ones with `?`. */
export type Form = keyof typeof scalars | readonly [Form] | { readonly [member: string]: Form }

/** Asserts the form of a value. Members that a form does not have are ignored. */
export function wantForm(answer: Answer, value: Json | undefined, form: Form, way = 'the content'): void {
  if (typeof form === 'string') {
    want(answer, isScalar(value, form), `${way}: ${scalars[form]}`)
    return
  }
  if (isList(form)) {
    want(answer, Array.isArray(value), `${way}: an array`)
    const items: readonly Json[] = value
    for (const [at, item] of items.entries()) wantForm(answer, item, form[0], `${way}[${at}]`)
    return
  }
  want(answer, isObject(value), `${way}: an object`)
  for (const [member, inner] of Object.entries(form)) {
    const name = member.replace(/\?$/, '')
    if (member === '*') for (const [key, each] of Object.entries(value)) wantForm(answer, each, inner, `${way}.${key}`)
    else if (name === member || Object.hasOwn(value, name)) wantForm(answer, value[name], inner, `${way}.${name}`)
  }
}

function isList(form: Form): form is readonly [Form] {
  return Array.isArray(form)
}

function isScalar(value: Json | undefined, form: keyof typeof scalars): boolean {
  switch (form) {
    case 'instant':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value)
    case 'duration':
      return typeof value === 'string' && /^-?P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,9})?S)?)?$/.test(value)
    default:
      return typeof value === form
  }
}
