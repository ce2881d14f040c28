import { invalidOption, withErrorCode } from '../base/errors.ts'
import { mountPathOf, rootBelow } from '../http/conventions/target.ts'
import type { ManagementRequest } from '../http/message.ts'
import { offerJson } from '../http/representation.ts'
import type { Resource } from '../http/resource.ts'
import type { Route } from '../http/router.ts'
import { addressOf } from './archetypes/action.ts'
import type { ResourceSettings } from './archetypes/resource-definition.ts'
import type { OpenApiDocument } from './openapi/open-api-document.ts'
import type { DescribedOperation } from './openapi/operation.ts'
import { type Relation, relationDocument } from './openapi/relation.ts'
import type { Address } from './resource-routes.ts'
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
        throw invalidOption(`createResources: duplicate representation name "${each.name}"`)
      const document = schemaDocument(each.name, schema, toJsonSchema)
      documents.set(schemaName, { $id: schemaName, title: each.name, ...document })
    }
  }
  return publish(site.schemasPath, Object.fromEntries(documents), ['application/schema+json', 'application/json'], site)
}

function schemaDocument(
  name: string,
  schema: Parameters<typeof jsonSchemaOf>[0],
  toJsonSchema: ToJsonSchema | undefined,
): JsonSchema {
  const known = jsonSchemaOf(schema, 'output', toJsonSchema)
  if (known !== undefined) return openToMore(known) as JsonSchema
  throw withErrorCode(
    new TypeError(
      `createResources: representation "${name}" has no JSON Schema. Install it: npm install zod@^4.2, ` +
        'or pass toJsonSchema, such as z.toJSONSchema',
    ),
    'UPKEEP_EPACKAGE',
  )
}

/** The route of the OpenAPI document. With a base path its server is the mount path of the adapter. */
export function descriptionRoute(document: OpenApiDocument, basePath: string | undefined): Route {
  const documentFor = ({ base }: ManagementRequest): OpenApiDocument => {
    if (basePath === undefined) return document
    const mountPath = mountPathOf(base)
    const isDoubled = basePath !== '/' && rootBelow(mountPath, basePath) === ''
    const url = isDoubled ? mountPath.slice(0, -basePath.length) : mountPath
    return { ...document, servers: [{ url: url || '/' }] }
  }
  const get: Resource['get'] = ({ request }) => ({
    offers: offerJson(documentFor(request), ['application/json', 'application/vnd.oai.openapi+json; version=3.1']),
    caching,
  })
  return { path: 'openapi', resource: { get } }
}

/** Describes the operations of all addresses. */
export function describeResources(addresses: readonly Address[], basePath: string): readonly DescribedOperation[] {
  const root = basePath === '/' ? '' : basePath
  return addresses.flatMap(({ path, archetype, operations }) =>
    operations.map(
      ({ method, access, guard, description }): DescribedOperation => ({
        ...description,
        summary: description.summary ?? summaryOf(method, archetype, path),
        path: `${root}/${path}`,
        method,
        archetype,
        authorized: access !== 'public',
        isConditional: (method === 'PUT' || method === 'DELETE') && (guard !== 'none' || hasRead(operations)),
      }),
    ),
  )
}

/** Returns the default summary of an operation. */
function summaryOf(method: string, archetype: Address['archetype'], path: string): string {
  const segments = path.split('/').map((segment) => segment.replace(/^\{(.+)\}$/, '$1').replaceAll('-', ' '))
  const [above = '', name = ''] = segments.length === 1 ? ['', ...segments] : segments.slice(-2)
  if (archetype === 'controller') return name === 'search' ? `Searches ${above}.` : `Runs ${name} of ${above}.`
  const isList = archetype === 'collection' || archetype === 'store'
  switch (method) {
    case 'GET':
      return isList ? `Lists ${name}.` : `Returns the ${name}.`
    case 'POST':
      return `Creates a member of ${name}.`
    case 'PUT':
      return `Stores the ${name}.`
    default:
      return isList ? `Removes ${name}, once empty.` : `Removes the ${name}.`
  }
}

function hasRead(operations: Address['operations']): boolean {
  return operations.some(({ method }) => method === 'GET')
}
