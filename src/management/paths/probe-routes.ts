import { invalidOption } from '../../base/errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { aliasRoute, type EndpointPaths, type EndpointRoute, type PathExists } from './place-endpoints.ts'

/** Where the probes are by default: the paths by which Kubernetes' own components have theirs. */
const defaultPaths: EndpointPaths = { 'health/liveness': '/livez', 'health/readiness': '/readyz' }

/**
 * Returns the routes of the probes: liveness, readiness, and further paths of health that `paths` places at the root of
 * the server.
 *
 * @throws TypeError if `health` is not exposed or has no GET.
 */
export function probeRoutes(
  endpoints: readonly Endpoint[],
  paths: EndpointPaths,
  exists: PathExists,
): readonly EndpointRoute[] {
  const health = endpoints.find(({ id }) => id === 'health')
  if (health === undefined) {
    throw invalidOption('management.probes: expected "health" among the endpoints that "expose" and "access" permit')
  }
  const absolute = Object.entries(paths).filter(([name, path]) => name.startsWith('health/') && path.startsWith('/'))
  return Object.entries({ ...defaultPaths, ...Object.fromEntries(absolute) }).map(([name, path]) =>
    aliasRoute(health, name, path, exists),
  )
}
