import type { Access } from '../http/authorize.ts'
import { methodsOf } from '../http/conventions/methods.ts'
import type { Resource } from '../http/resource.ts'
import type { Endpoint, EndpointId } from './endpoints/endpoint.ts'

/**
 * The callers that an operation accepts: all (`public`), all known callers (`authorized`), or those with one of the
 * `roles`. With `none` the operation does not exist.
 */
export type OperationAccess = Access | 'none'

/**
 * The access of an endpoint: one rule for all methods, or one for GET and HEAD (`read`) and one for all others
 * (`write`).
 */
export type EndpointAccess =
  | OperationAccess
  | { readonly read?: OperationAccess | undefined; readonly write?: OperationAccess | undefined }

/**
 * Access by endpoint. `'*'` applies to the discovery page, and to endpoints without a rule of their own. `public` does
 * not open an operation that requires authorization by itself, such as POST of `loggers`; `'*': 'public'` opens
 * neither your own endpoints nor those, such as `env`, that always require an authorized caller. For one of these,
 * `public` throws.
 */
export type AccessOptions = Readonly<Partial<Record<EndpointId | '*', EndpointAccess | undefined>>>

/** Returns the endpoints with the access of each operation applied, without operations of access `none`. */
export function guardEndpoints(endpoints: readonly Endpoint[], access: AccessOptions): readonly Endpoint[] {
  return endpoints.flatMap((endpoint) => {
    const routes = endpoint.routes
      .map((route) =>
        endpoint.publicPaths?.includes(route.path) && sideOf(access[endpoint.id], 'GET') !== 'none'
          ? route
          : { ...route, resource: guardResource(route.resource, endpoint.id, access) },
      )
      .filter(({ resource }) => methodsOf(resource).length > 0)
    return routes.length === 0 ? [] : [{ ...endpoint, routes }]
  })
}

function guardResource(resource: Resource, id: string, options: AccessOptions): Resource {
  const rules = methodsOf(resource).map((method) => [method, operationAccess(resource, method, id, options)] as const)
  const hidden = rules.filter(([, rule]) => rule === 'none').map(([method]) => [method.toLowerCase(), undefined])
  const visible = rules.flatMap(([method, rule]) => (rule === 'none' ? [] : [[method, rule] as const]))
  const [[, first] = ['', 'public' as const]] = visible
  const byMethod = new Map<string, Access>(visible)
  return {
    ...resource,
    ...Object.fromEntries(hidden),
    // One value where all methods have the same: it is read at every request.
    access: visible.every(([, rule]) => rule === first)
      ? first
      : (method) => byMethod.get(method === 'HEAD' ? 'GET' : method) ?? first,
  }
}

/**
 * The rule of the endpoint takes precedence over `'*'`, and that over what the resource declares, unless it is
 * `public`.
 */
function operationAccess({ access }: Resource, method: string, id: string, options: AccessOptions): OperationAccess {
  const own = typeof access === 'function' ? access(method) : access
  const rule = sideOf(Object.hasOwn(options, id) ? options[id] : undefined, method)
  if (rule !== undefined) return rule === 'public' ? (own ?? 'public') : rule
  const general = sideOf(options['*'], method)
  return general === undefined || general === 'public' ? (own ?? 'authorized') : general
}

function sideOf(rule: EndpointAccess | undefined, method: string): OperationAccess | undefined {
  if (typeof rule !== 'object' || 'roles' in rule) return rule
  return method === 'GET' ? rule.read : rule.write
}
