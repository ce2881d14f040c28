/** A node of a JSON Schema, with the root that its references point into. */
export interface Place {
  readonly root: unknown
  readonly node: unknown
}

/** A node that holds keywords. */
export interface ResolvedPlace extends Place {
  readonly node: Readonly<Record<string, unknown>>
}

const mostReferences = 32

/** Follows a reference. `true` and unresolvable references become an empty schema. */
export function resolvePlace({ root, node }: Place): ResolvedPlace {
  let found = keywordsOf(node)
  for (let step = 0; typeof found['$ref'] === 'string' && step < mostReferences; step++) {
    found = keywordsOf(atPointer(root, found['$ref']))
  }
  return { root, node: found }
}

function atPointer(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  const keys = reference.slice(1).split('/').slice(1)
  return keys.reduce<unknown>((value, key) => keywordsOf(value)[key.replaceAll('~1', '/').replaceAll('~0', '~')], root)
}

/** Returns the alternatives of `anyOf`, `oneOf` or a list of types. */
export function alternativesOf({ root, node }: ResolvedPlace): readonly Place[] | undefined {
  const { anyOf, oneOf, type } = node
  const cases = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (cases !== undefined) return cases.map((each) => ({ root, node: each }))
  return Array.isArray(type) ? type.map((each) => ({ root, node: { ...node, type: each } })) : undefined
}

export function objectAt({ node }: ResolvedPlace, keyword: string): Readonly<Record<string, unknown>> {
  return keywordsOf(node[keyword])
}

export function listAt({ node }: ResolvedPlace, keyword: string): readonly string[] {
  const value = node[keyword]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function keywordsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
