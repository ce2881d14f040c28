import type { TagSet } from '../../metrics/series/tags.ts'

/** The attributes of a measurement, of any type: instrumentations in plain JavaScript pass what they have. */
export type GivenAttributes = Readonly<Record<string, unknown>> | null | undefined

/**
 * Converts attributes to tags. A number or boolean becomes its string, an array the JSON of its elements, as
 * OpenTelemetry exports it to Prometheus. Attributes that are `undefined`, `null` or of another type, and those with
 * an empty key, are omitted.
 */
export function attributeTags(attributes: GivenAttributes): TagSet {
  const keys: string[] = []
  const texts: string[] = []
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) return { keys, texts }
  for (const key in attributes) {
    const text = key === '' ? undefined : attributeText(attributes[key])
    if (text === undefined) continue
    keys.push(key)
    texts.push(text)
  }
  return { keys, texts }
}

function attributeText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      return Array.isArray(value) ? JSON.stringify(value, withoutBigInts) : undefined
  }
}

function withoutBigInts(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
