import { type JsonSchema, jsonSchemaOf, type ToJsonSchema } from './json-schema.ts'
import type { Schema } from './schema.ts'
import { alternativesOf, listAt, objectAt, type Place, type ResolvedPlace, resolvePlace } from './schema-place.ts'
import { type Misfit, valueMisfits } from './value-misfits.ts'

/** Why who knows the older version cannot go on with the newer one. */
export interface Incompatibility {
  /** Where in the schema, such as `/items/quantity`. */
  readonly path: string
  /** `response` for who reads, `request` for who sends. */
  readonly side: 'response' | 'request'
  readonly reason: string
}

export interface CompatibilityOptions {
  /** In which direction the representation goes. @default both */
  readonly sides?: readonly ('response' | 'request')[] | undefined
  readonly toJsonSchema?: ToJsonSchema | undefined
}

/**
 * What in the newer of two schemas breaks clients of the older; empty when it only adds. A field that is added breaks
 * nobody, unless a request must have it.
 *
 * @throws TypeError when nobody tells the JSON Schema of one.
 */
export function checkCompatibility(
  older: Schema | JsonSchema,
  newer: Schema | JsonSchema,
  { sides = ['response', 'request'], toJsonSchema }: CompatibilityOptions = {},
): readonly Incompatibility[] {
  return sides.flatMap((side) => {
    const direction = side === 'response' ? 'output' : 'input'
    const [from, to] = [older, newer].map((schema) => {
      const known = jsonSchemaOf(schema, direction, toJsonSchema)
      if (known === undefined) throw new TypeError('checkCompatibility: pass toJsonSchema, such as z.toJSONSchema')
      return known
    })
    // In a response the newer is written and the older read; in a request it is the other way round.
    const [written, read] = side === 'response' ? [to, from] : [from, to]
    const found = misfits({ root: written, node: written }, { root: read, node: read }, '', { side, seen: new Set() })
    return found.map((misfit) => ({ side, ...misfit }))
  })
}

interface Walk {
  readonly side: 'response' | 'request'
  /** The pairs that were looked at: a schema that holds itself is looked at once. */
  readonly seen: Set<string>
}

/** What may be written and cannot be read. */
function misfits(written: Place, read: Place, path: string, walk: Walk): readonly Misfit[] {
  const [from, to] = [resolvePlace(written), resolvePlace(read)]
  const pair = JSON.stringify([from.node, to.node])
  if (walk.seen.has(pair)) return []
  walk.seen.add(pair)

  const cases = alternativesOf(from)
  if (cases !== undefined) return cases.flatMap((each) => misfits(each, to, path, walk))
  const choices = alternativesOf(to)
  if (choices !== undefined) {
    const fits = choices.some((each) => misfits(from, each, path, { ...walk, seen: new Set(walk.seen) }).length === 0)
    return fits ? [] : [{ path, reason: 'is none of what is understood' }]
  }
  const inPlace = valueMisfits(from.node, to.node, path)
  return inPlace.length > 0 ? inPlace : [...fieldMisfits(from, to, path, walk), ...itemMisfits(from, to, path, walk)]
}

function fieldMisfits(from: ResolvedPlace, to: ResolvedPlace, path: string, walk: Walk): readonly Misfit[] {
  const [written, read] = [objectAt(from, 'properties'), objectAt(to, 'properties')]
  const certain = listAt(from, 'required')
  const missing = listAt(to, 'required').filter((name) => !certain.includes(name))
  // Who reads a response passes over what it does not know; who reads a request may refuse it.
  const isClosed = walk.side === 'request' && to.node['additionalProperties'] === false
  return [
    ...missing.map((name) => ({
      path: `${path}/${name}`,
      reason: name in written ? 'may be absent, and must be there' : 'is not there, and must be',
    })),
    ...Object.keys(written).flatMap((name): readonly Misfit[] => {
      const at = `${path}/${name}`
      if (name in read) return misfits({ ...from, node: written[name] }, { ...to, node: read[name] }, at, walk)
      return isClosed ? [{ path: at, reason: 'is refused' }] : []
    }),
  ]
}

function itemMisfits(from: ResolvedPlace, to: ResolvedPlace, path: string, walk: Walk): readonly Misfit[] {
  return ['items', 'additionalProperties'].flatMap((keyword) => {
    const [one, other] = [from.node[keyword], to.node[keyword]]
    if (typeof one !== 'object' || typeof other !== 'object') return []
    return misfits({ ...from, node: one }, { ...to, node: other }, `${path}/*`, walk)
  })
}
