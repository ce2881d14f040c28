import { lazy } from '../../base/lazy.ts'
import type { Aggregator } from '../../health/aggregator.ts'
import type { CorsOptions } from '../../http/conventions/cors.ts'
import { pathBelow, pathOf, rootOf } from '../../http/conventions/target.ts'
import { type ServedRoutes, type ServePlacedRoutesOptions, servePlacedRoutes } from '../../http/serve-routes.ts'
import type { DescribedOperation } from '../../rest/openapi/operation.ts'
import { type AccessOptions, guardEndpoints } from '../access.ts'
import { describeOperations } from '../describe-operations.ts'
import { discoveryEndpoint, withIndexPage } from '../endpoints/discovery.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { createLinks } from './endpoint-links.ts'
import { requireDistinctPaths } from './path-conflicts.ts'
import {
  type EndpointPaths,
  type PathExists,
  type PlacedEndpoint,
  placeEndpoints,
  routesOf,
} from './place-endpoints.ts'
import { probeRoutes } from './probe-routes.ts'

interface ServeEndpointsOptions extends ServePlacedRoutesOptions {
  readonly paths: EndpointPaths
  readonly access: AccessOptions
  readonly aggregator: Aggregator
}

/** Endpoints that respond to requests, and their description. */
interface ServedEndpoints {
  readonly respond: ServedRoutes
  readonly describeOperations: () => readonly DescribedOperation[]
}

/** The endpoints of a management, and its probes. */
export interface EndpointServers {
  readonly endpoints: ServedEndpoints
  /** Returns the probes. From the first call on, requests for them are requests to the management. */
  readonly probes: () => ServedEndpoints
  /** Whether a target is known to be for the management. At the base path `/`, that is not known of endpoints there. */
  readonly isManagement: (target: string) => boolean
  /** Returns the paths of the resources without variables by the mount path of the adapter. */
  readonly linksAt: (mountPath: string) => Readonly<Record<string, string>>
  /** Returns what requests to the management are counted by: `/livez`, or `/management/**` below the base path. */
  readonly uriOf: (target: string) => string
}

/**
 * Serves endpoints where the option `paths` places them, with a page of links at the base path.
 *
 * @throws TypeError naming an invalid member of `paths`.
 */
export function serveEndpoints(endpoints: readonly Endpoint[], options: ServeEndpointsOptions): EndpointServers {
  const { basePath, paths, access, aggregator, authorize } = options
  const root = rootOf(basePath)
  const exists: PathExists = (id, path) => id !== 'health' || path.length === 0 || aggregator.find(path) !== undefined
  const placed = placeEndpoints(endpoints, paths, exists)
  const linksOf = createLinks(basePath, placed)
  const links = basePath === '/' ? [] : guardEndpoints([discoveryEndpoint(linksOf)], access)
  const pages = links.map((endpoint) => withIndexPage(endpoint, placed, authorize))
  const all = [...placeEndpoints(pages, {}, exists), ...placed]
  requireDistinctPaths(all, { root, paths, exists })

  const serve = (served: readonly PlacedEndpoint[], cors?: CorsOptions): ServedEndpoints => ({
    respond: servePlacedRoutes(routesOf(served), { ...options, cors }),
    describeOperations: () => describeOperations(served, root, authorize),
  })
  const managed = serve(all, options.cors)
  let areProbesServed = false
  // The pages of other origins that an application accepts on its own port are its own business.
  const probes = lazy(() => {
    const served = serve([{ id: 'health', routes: probeRoutes(endpoints, paths, exists) }])
    areProbesServed = true
    return served
  })

  const absoluteUri = (target: string) =>
    managed.respond.absolute?.templateOf(target) ??
    (areProbesServed ? probes().respond.absolute?.templateOf(target) : undefined)
  const isBelowBase = (target: string) => basePath !== '/' && pathBelow(basePath, pathOf(target)) !== undefined
  return {
    endpoints: managed,
    probes,
    isManagement: (target) => isBelowBase(target) || absoluteUri(target) !== undefined,
    linksAt: (mountPath) => {
      const { links } = linksOf(mountPath)
      return Object.fromEntries(links.flatMap(([name, { href, templated }]) => (templated ? [] : [[name, href]])))
    },
    uriOf: (target) => absoluteUri(target) ?? `${root}/**`,
  }
}
