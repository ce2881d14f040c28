import type { Access } from '../http/authorize.ts'
import type { Resource } from '../http/resource.ts'
import type { Route } from '../http/router.ts'
import type { Endpoint, EndpointId } from './endpoints/endpoint.ts'

/**
 * Who may call an endpoint: everybody (`public`), whoever is known (`authorized`), who is known and has one of the `roles`,
 * or nobody, as if there were no such endpoint (`none`).
 */
export type EndpointAccess = Access | 'none'

/** By endpoint; `'*'` is for those that are not named, and for the page at the base path. */
export type AccessOptions = Readonly<Partial<Record<EndpointId | '*', EndpointAccess | undefined>>>

export function accessTo(access: AccessOptions, id: EndpointId | '*'): EndpointAccess {
  return access[id] ?? access['*'] ?? 'public'
}

/** The endpoints that there are, their resources guarded. */
export function guardEndpoints(endpoints: readonly Endpoint[], access: AccessOptions): readonly Endpoint[] {
  return endpoints.flatMap((endpoint) => {
    const routes = guardRoutes(endpoint.routes, accessTo(access, endpoint.id))
    return routes.length === 0 ? [] : [{ ...endpoint, routes }]
  })
}

/** Routes whose resources are for those alone who have access to them; none where nobody has. */
export function guardRoutes<R extends Route>(routes: readonly R[], access: EndpointAccess): readonly R[] {
  return access === 'none' ? [] : routes.map((route) => ({ ...route, resource: guarded(route.resource, access) }))
}

/** What is there for everybody may have something of its own that is not, such as a change. */
function guarded(resource: Resource, access: Access): Resource {
  return access === 'public' ? resource : { ...resource, access }
}
