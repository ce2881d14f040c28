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
