import { invalidOption } from '../../base/errors.ts'
import { type JsonSchema, jsonSchemaOf, type ToJsonSchema } from './json-schema.ts'
import type { Schema } from './schema.ts'
import { alternativesOf, objectAt, type Place, resolvePlace } from './schema-place.ts'

/** An invalid member name in a representation. */
export interface BrokenName {
  /** JSON pointer into the representation, such as `/items/unit_price`. */
  readonly path: string
  readonly name: string
  readonly reason: string
}

/**
 * Returns the member names of a representation that are not in lower or mixed case without special characters, such as
 * `unitPrice`.
 *
 * @throws TypeError when the schema has no JSON Schema and `toJsonSchema` is missing.
 */
export function checkNames(
  schema: Schema | JsonSchema,
  { toJsonSchema }: { readonly toJsonSchema?: ToJsonSchema | undefined } = {},
): readonly BrokenName[] {
  const root = jsonSchemaOf(schema, 'output', toJsonSchema)
  if (root === undefined) throw invalidOption('checkNames: expected toJsonSchema, such as z.toJSONSchema')
  const found = new Map<string, BrokenName>()
  walk({ root, node: root }, '', found, new Set())
  return [...found.values()]
}

function walk(place: Place, path: string, found: Map<string, BrokenName>, seen: Set<unknown>): void {
  const here = resolvePlace(place)
  if (seen.has(here.node)) return
  seen.add(here.node)
  for (const each of alternativesOf(here) ?? []) walk(each, path, found, seen)
  const { allOf, items, additionalProperties } = here.node
  for (const node of Array.isArray(allOf) ? allOf : []) walk({ ...here, node }, path, found, seen)
  for (const [name, node] of Object.entries(objectAt(here, 'properties'))) {
    const reason = reasonAgainst(name)
    if (reason !== undefined) found.set(`${path}/${name}`, { path: `${path}/${name}`, name, reason })
    walk({ ...here, node }, `${path}/${name}`, found, seen)
  }
  for (const node of [items, additionalProperties]) {
    if (typeof node === 'object' && node !== null) walk({ ...here, node }, `${path}/*`, found, seen)
  }
}

function reasonAgainst(name: string): string | undefined {
  if (/^[a-z][A-Za-z0-9]*$/.test(name)) return undefined
  if (/^[A-Z][A-Za-z0-9]*$/.test(name)) return 'The name starts with an uppercase letter.'
  if (/^[0-9]/.test(name)) return 'The name starts with a digit.'
  return name === ''
    ? 'The name is empty.'
    : 'The name contains a special character: use letters and digits, as in unitPrice.'
}
