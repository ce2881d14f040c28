import { kindOf } from '../base/callback.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { invalidOption } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import { type Report, reportToConsole } from '../base/report.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import type { Authorize } from '../http/authorize.ts'
import type { Route } from '../http/router.ts'
import { type RequestHandler, serveRoutes } from '../http/serve-routes.ts'
import type { ResourceDefinition, ResourceSettings } from './archetypes/resource-definition.ts'
import { type OpenApiDocument, openApiDocument, type ServiceDescription } from './openapi/open-api-document.ts'
import type { DescribedOperation } from './openapi/operation.ts'
import { type Relation, registeredRelations } from './openapi/relation.ts'
import type { AppRoute } from './paths/app-route.ts'
import { describeResources, descriptionRoute, relationRoutes, schemaRoutes } from './published-documents.ts'
import { addressesOf, routeOf, routesOf } from './resource-routes.ts'
import type { ToJsonSchema } from './schemas/json-schema.ts'

/** The description of the service at `openapi`. */
export interface DescriptionOptions extends ServiceDescription {
  /** A management whose exposed endpoints are described too. @default none */
  readonly management?: { readonly describeOperations: () => readonly DescribedOperation[] } | undefined
}

/** Options of `createResources`. */
export interface ResourcesOptions {
  /** The resources, as returned by `collection`, `store`, `document` and `controller`. */
  readonly resources: readonly ResourceDefinition[]
  /** Path below which the resources are served, without a trailing slash; or `/`. @default '/' */
  readonly basePath?: string | undefined
  /** Custom link relations by name, in addition to registered ones such as `self`. @default {} */
  readonly relations?: Readonly<Record<string, Relation>> | undefined
  /** The OpenAPI document served at `openapi`. @default none; `openapi` responds with 404 */
  readonly description?: DescriptionOptions | undefined
  /** Authenticates callers. @default none; every caller is anonymous */
  readonly authorize?: Authorize | undefined
  /** Maximum size of a request body, in bytes. @default 65536 */
  readonly bodyLimitBytes?: number | undefined
  /** Maximum nesting depth of a JSON body. @default 64 */
  readonly maxBodyDepth?: number | undefined
  /** Converts schemas without a JSON Schema of their own, such as `z.toJSONSchema` for zod/mini. */
  readonly toJsonSchema?: ToJsonSchema | undefined
  /** @default system clock */
  readonly clock?: Clock | undefined
  /** Called when an internal error occurs. @default console.error */
  readonly report?: Report | undefined
}

/** A request handler to be served by an adapter. Returns `undefined` for requests to other paths. */
export interface Resources extends RequestHandler {
  /** All routes, for `checkRoutes`. */
  readonly routes: readonly AppRoute[]
  /** Returns the OpenAPI 3.1 document. Its title is `resources` without a `description`. */
  readonly describe: () => OpenApiDocument
}

/**
 * Creates a request handler from resource definitions.
 *
 * @throws TypeError naming each invalid definition or option.
 */
export function createResources(options: ResourcesOptions): Resources {
  checkResourcesOptions(options)
  const {
    resources,
    basePath = '/',
    relations = {},
    description,
    authorize,
    bodyLimitBytes = 65_536,
    maxBodyDepth = 64,
    toJsonSchema,
    clock = systemClock,
    report = reportToConsole,
  } = options
  if (!/^(\/|(\/[\w.~-]+)+)$/.test(basePath)) {
    throw invalidOption(
      `createResources: basePath: expected "/" or a path without a trailing slash, received "${basePath}"`,
    )
  }
  for (const [name, value] of Object.entries({ bodyLimitBytes, maxBodyDepth })) {
    if (!Number.isInteger(value) || value < 1) {
      throw invalidOption(`createResources: ${name}: expected an integer of 1 or more, received ${value}`)
    }
  }
  const known = { ...registeredRelations, ...relations }
  const site: ResourceSettings = {
    basePath,
    relationsPath: 'relations',
    schemasPath: 'schemas',
    relations: new Set(Object.keys(known)),
    limitBytes: bodyLimitBytes,
    maxDepth: maxBodyDepth,
  }
  const addresses = addressesOf(resources)
  const representations = addresses.flatMap(({ operations }) => operations.flatMap((each) => each.representations))
  const describe = () => {
    const service = description ?? { title: 'resources', version: '0' }
    const management = description?.management?.describeOperations() ?? []
    const scheme = authorize?.challenge?.split(' ')[0]?.toLowerCase()
    return openApiDocument([...describeResources(addresses, basePath), ...management], service, {
      scheme,
      toJsonSchema,
    })
  }
  const routes: readonly Route[] = [
    ...addresses.map((address) => routeOf(address, site)),
    ...relationRoutes(known, site),
    ...schemaRoutes(representations, toJsonSchema, site),
    ...(description === undefined
      ? []
      : [descriptionRoute(describe(), description.servers === undefined ? basePath : undefined)]),
  ]
  const handler = serveRoutes(routes, { basePath, authorize, clock, report })
  return Object.assign(handler, {
    routes: routesOf(addresses, basePath),
    describe,
  })
}

const known = [
  'resources',
  'basePath',
  'relations',
  'description',
  'authorize',
  'bodyLimitBytes',
  'maxBodyDepth',
  'toJsonSchema',
  'clock',
  'report',
] as const

/** What others call these options. */
const foreignNames: ForeignNames = {
  path: 'basePath',
  prefix: 'basePath',
  routes: 'resources',
  auth: 'authorize',
  bodyLimit: 'bodyLimitBytes',
  limit: 'bodyLimitBytes',
  openapi: 'description',
  title: 'write description: { title, version }',
  version: 'write description: { title, version }',
  onError: 'report',
}

function checkResourcesOptions(options: ResourcesOptions): void {
  requireKnownOptions('createResources', options, known, { foreignNames })
  const { resources, description } = options
  if (description !== undefined) {
    requireKnownOptions('createResources', description, ['title', 'version', 'description', 'servers', 'management'], {
      path: ['description'],
      foreignNames: { name: 'title', info: 'title', url: 'servers', server: 'servers' },
    })
  }
  if (!Array.isArray(resources)) {
    throw invalidOption(`createResources: resources: expected an array of resources, received ${kindOf(resources)}`)
  }
  resources.forEach((each: unknown, at) => {
    if (typeof each === 'object' && each !== null && 'kind' in each && each.kind === 'resource') return
    throw invalidOption(
      `createResources: resources[${at}]: expected a resource such as collection(…), received ${kindOf(each)}`,
    )
  })
}
