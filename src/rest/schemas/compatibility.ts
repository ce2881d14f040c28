import { invalidOption } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import { type JsonSchema, jsonSchemaOf, type ToJsonSchema } from './json-schema.ts'
import type { Schema } from './schema.ts'
import { alternativesOf, listAt, objectAt, type Place, type ResolvedPlace, resolvePlace } from './schema-place.ts'
import { type Misfit, valueMisfits } from './value-misfits.ts'

/** A change that breaks clients of the older version. */
export interface Incompatibility {
  /** JSON pointer into the schema, such as `/items/quantity`. */
  readonly path: string
  /** `response` breaks clients that read, `request` clients that send. */
  readonly side: 'response' | 'request'
  readonly reason: string
}

/** Options of `checkCompatibility`. */
export interface CompatibilityOptions {
  /** The directions in which the representation is used. @default both */
  readonly sides?: readonly ('response' | 'request')[] | undefined
  /** Converts schemas without a JSON Schema of their own, such as `z.toJSONSchema` for zod/mini. */
  readonly toJsonSchema?: ToJsonSchema | undefined
}

/**
 * Compares two versions of a schema and returns the changes that break clients of the older one; empty if it only adds.
 * An added member breaks a client only if requests must contain it.
 *
 * @throws TypeError when a schema has no JSON Schema and `toJsonSchema` is missing.
 */
export function checkCompatibility(
  older: Schema | JsonSchema,
  newer: Schema | JsonSchema,
  options: CompatibilityOptions = {},
): readonly Incompatibility[] {
  requireKnownOptions('checkCompatibility', options, ['sides', 'toJsonSchema'], {
    foreignNames: { directions: 'sides', side: 'sides' },
  })
  const { sides = ['response', 'request'], toJsonSchema } = options
  return sides.flatMap((side) => {
    const direction = side === 'response' ? 'output' : 'input'
    const [from, to] = [older, newer].map((schema) => {
      const known = jsonSchemaOf(schema, direction, toJsonSchema)
      if (known === undefined) throw invalidOption('checkCompatibility: expected toJsonSchema, such as z.toJSONSchema')
      return known
    })
    // Responses are written by the newer and read by the older version; requests the other way round.
    const [written, read] = side === 'response' ? [to, from] : [from, to]
    const found = misfits({ root: written, node: written }, { root: read, node: read }, '', { side, seen: new Set() })
    return found.map((misfit) => ({ side, ...misfit }))
  })
}

interface Walk {
  readonly side: 'response' | 'request'
  /** Compared pairs; terminates on recursive schemas. */
  readonly seen: Set<string>
}

/** Returns what the writer may produce and the reader does not accept. */
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
    return fits ? [] : [{ path, reason: 'matches none of the alternatives' }]
  }
  const inPlace = valueMisfits(from.node, to.node, path)
  return inPlace.length > 0 ? inPlace : [...fieldMisfits(from, to, path, walk), ...itemMisfits(from, to, path, walk)]
}

function fieldMisfits(from: ResolvedPlace, to: ResolvedPlace, path: string, walk: Walk): readonly Misfit[] {
  const [written, read] = [objectAt(from, 'properties'), objectAt(to, 'properties')]
  const certain = listAt(from, 'required')
  const missing = listAt(to, 'required').filter((name) => !certain.includes(name))
  // Readers of responses ignore unknown members; readers of requests may reject them.
  const isClosed = walk.side === 'request' && to.node['additionalProperties'] === false
  return [
    ...missing.map((name) => ({
      path: `${path}/${name}`,
      reason: name in written ? 'may be absent, but is required' : 'is missing, but required',
    })),
    ...Object.keys(written).flatMap((name): readonly Misfit[] => {
      const at = `${path}/${name}`
      if (name in read) return misfits({ ...from, node: written[name] }, { ...to, node: read[name] }, at, walk)
      return isClosed ? [{ path: at, reason: 'is not accepted' }] : []
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
