import type { Field, MessageWriter } from './message-writer.ts'

const keyValue = {
  key: { number: 1, name: 'key' },
  value: { number: 2, name: 'value' },
} as const satisfies Record<string, Field>

const anyValue = {
  string: { number: 1, name: 'stringValue' },
  bool: { number: 2, name: 'boolValue' },
  int: { number: 3, name: 'intValue' },
  double: { number: 4, name: 'doubleValue' },
  array: { number: 5, name: 'arrayValue' },
  map: { number: 6, name: 'kvlistValue' },
} as const satisfies Record<string, Field>

const list: Field = { number: 1, name: 'values', isRepeated: true }

/** Deeper values are omitted. */
const maxDepth = 16

/** Writes attributes, except for those that are `undefined`. Returns how many. */
export function writeAttributes(
  out: MessageWriter,
  field: Field,
  attributes: Readonly<Record<string, unknown>>,
): number {
  let written = 0
  for (const key in attributes) {
    const value = attributes[key]
    if (value === undefined) continue
    writeAttribute(out, field, key, value)
    written += 1
  }
  return written
}

/** Writes one attribute as a `KeyValue`. */
export function writeAttribute(out: MessageWriter, field: Field, key: string, value: unknown): void {
  if (out.shortAttribute?.(field, key, value) === true) return
  const token = out.begin(field)
  out.string(keyValue.key, key)
  writeValue(out, keyValue.value, value, 0)
  out.end(token)
}

/** Writes an `AnyValue`; an empty one for a value of another type, such as a function. */
export function writeValue(out: MessageWriter, field: Field, value: unknown, depth = 0): void {
  const token = out.begin(field)
  switch (typeof value) {
    case 'string':
      out.string(anyValue.string, value)
      break
    case 'number':
      if (Number.isSafeInteger(value)) out.int64(anyValue.int, value)
      else out.double(anyValue.double, value)
      break
    case 'boolean':
      out.bool(anyValue.bool, value)
      break
    case 'bigint':
      out.string(anyValue.string, String(value))
      break
    case 'object':
      if (value !== null && depth < maxDepth) writeObject(out, value, depth + 1)
  }
  out.end(token)
}

function writeObject(out: MessageWriter, value: object, depth: number): void {
  if (value instanceof Date) {
    out.string(anyValue.string, Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString())
    return
  }
  const isArray = Array.isArray(value)
  const token = out.begin(isArray ? anyValue.array : anyValue.map)
  if (isArray) for (const each of value) writeValue(out, list, each, depth)
  else {
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined) continue
      const entry = out.begin(list)
      out.string(keyValue.key, key)
      writeValue(out, keyValue.value, each, depth)
      out.end(entry)
    }
  }
  out.end(token)
}
