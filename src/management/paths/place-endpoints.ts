import { describeValue } from '../../base/describe-value.ts'
import { invalidOption } from '../../base/errors.ts'
import { createRouter, type PlacedRoute } from '../../http/router.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/**
 * The paths of endpoints, and of single paths below them. `/metrics` begins at the root of the server, `metrics` at the
 * base path. An endpoint is moved there with all that is below it; a single path is added.
 */
export type EndpointPaths = Readonly<Record<string, string>>

/** A route of an endpoint, at the path where it is served. */
export interface EndpointRoute extends PlacedRoute {
  /** The path of the route as its endpoint declares it. */
  readonly template: string
  /** The path by which the option `paths` names it, such as `health/liveness`. @default that of the route */
  readonly alias?: string | undefined
}

/** An endpoint with its routes, and further ones for single paths, where they are served. */
export interface PlacedEndpoint extends Endpoint {
  readonly routes: readonly EndpointRoute[]
}

/** Whether the resource of a path exists: of `health`, whose components and groups are known. */
export type PathExists = (endpoint: string, variables: readonly string[]) => boolean

/**
 * Returns the endpoints with their routes at the paths where they are served. A path of an endpoint without operations
 * is ignored.
 *
 * @throws TypeError for a single path that no endpoint has.
 */
export function placeEndpoints(
  endpoints: readonly Endpoint[],
  paths: EndpointPaths,
  exists: PathExists,
): readonly PlacedEndpoint[] {
  return endpoints.map((endpoint) => {
    const { id } = endpoint
    const moved = Object.hasOwn(paths, id) ? (paths[id] ?? id) : id
    const routes = endpoint.routes.map(({ path, resource }) => {
      return { path: moved === id ? path : moved + path.slice(id.length), template: path, resource }
    })
    const aliases = Object.entries(paths)
      .filter(([name]) => name.startsWith(`${id}/`))
      .map(([name, path]) => aliasRoute(endpoint, name, path, exists))
    return { ...endpoint, routes: [...routes, ...aliases] }
  })
}

/**
 * Returns a route for a single path below an endpoint, such as `health/liveness`.
 *
 * @throws TypeError if the endpoint has no such path.
 */
export function aliasRoute(endpoint: Endpoint, alias: string, path: string, exists: PathExists): EndpointRoute {
  const match = createRouter(endpoint.routes)(alias.split('/'))
  if (match === undefined || !exists(endpoint.id, match.variables)) {
    const members = endpoint.id === 'health' ? 'a component or a group of health' : `a path of "${endpoint.id}"`
    throw invalidOption(
      `createManagement: paths.${alias}: expected the name of ${members}, received ${describeValue(alias)}`,
    )
  }
  return { path, template: match.path, alias, resource: match.resource, variables: match.variables }
}

/** Returns the routes in the order in which they are matched: a single path precedes a variable one. */
export function routesOf(endpoints: readonly PlacedEndpoint[]): readonly EndpointRoute[] {
  const routes = endpoints.flatMap((endpoint) => endpoint.routes)
  return [...routes.filter(({ alias }) => alias !== undefined), ...routes.filter(({ alias }) => alias === undefined)]
}
