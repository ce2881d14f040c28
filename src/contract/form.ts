import { type Answer, want } from './answer.ts'
import { isObject, type Json } from './json.ts'

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
