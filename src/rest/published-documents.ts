import { offerJson } from '../http/representation.ts'
import type { Resource } from '../http/resource.ts'
import type { Route } from '../http/router.ts'
import { addressOf } from './archetypes/action.ts'
import type { ResourceSettings } from './archetypes/resource-definition.ts'
import { type Relation, relationDocument } from './openapi/relation.ts'
import type { DescribedRepresentation } from './schemas/described-representation.ts'
import { type JsonSchema, jsonSchemaOf, openToMore, type ToJsonSchema } from './schemas/json-schema.ts'

/** Caching of the service's own documents. */
const caching = { maxAgeSeconds: 60 }

type Named = Readonly<Record<string, unknown>>

/** Serves documents by name below a path, and a list of them at the path itself. */
function publish(
  path: string,
  documents: Named,
  mediaTypes: readonly [string, ...string[]],
  site: ResourceSettings,
): readonly Route[] {
  const names = Object.keys(documents)
  const list: Resource['get'] = (call) => ({
    offers: offerJson(
      names.map((name) => ({ name, href: addressOf(`${path}/${name}`, call, site) })),
      ['application/json'],
    ),
    caching,
  })
  const one: Resource['get'] = ({ variables: [name = ''] }) =>
    Object.hasOwn(documents, name) ? { offers: offerJson(documents[name], mediaTypes), caching } : undefined
  return [
    { path, resource: { get: list } },
    { path: `${path}/{name}`, resource: { get: one } },
  ]
}

/** `relations/{name}`: the meaning of a relation. */
export function relationRoutes(
  relations: Readonly<Record<string, Relation>>,
  site: ResourceSettings,
): readonly Route[] {
  const documents = Object.entries(relations).map(([name, relation]) => [name, relationDocument(name, relation)])
  return publish(site.relationsPath, Object.fromEntries(documents), ['application/json'], site)
}

/**
 * `schemas/{name}-{version}`: the JSON Schema of each version of each representation.
 *
 * @throws TypeError for a schema without JSON Schema, and for two representations with the same name.
 */
export function schemaRoutes(
  representations: readonly DescribedRepresentation[],
  toJsonSchema: ToJsonSchema | undefined,
  site: ResourceSettings,
): readonly Route[] {
  const documents = new Map<string, JsonSchema>()
  for (const each of new Set(representations)) {
    for (const { schema, schemaName } of each.versions) {
      if (documents.has(schemaName))
        throw new TypeError(`createResources: duplicate representation name "${each.name}"`)
      documents.set(schemaName, { $id: schemaName, title: each.name, ...told(each.name, schema, toJsonSchema) })
    }
  }
  return publish(site.schemasPath, Object.fromEntries(documents), ['application/schema+json', 'application/json'], site)
}

function told(
  name: string,
  schema: Parameters<typeof jsonSchemaOf>[0],
  toJsonSchema: ToJsonSchema | undefined,
): JsonSchema {
  const known = jsonSchemaOf(schema, 'output', toJsonSchema)
  if (known !== undefined) return openToMore(known) as JsonSchema
  throw new TypeError(
    `createResources: representation "${name}" has no JSON Schema. Install it: npm install zod@^4.2, ` +
      'or pass toJsonSchema, such as z.toJSONSchema',
  )
}
