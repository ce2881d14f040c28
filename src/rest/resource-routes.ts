import { invalidOption } from '../base/errors.ts'
import type { Resource } from '../http/resource.ts'
import type { Route } from '../http/router.ts'
import type {
  ResourceDefinition,
  ResourceOperation,
  ResourcePart,
  ResourceSettings,
} from './archetypes/resource-definition.ts'
import type { AppRoute } from './paths/app-route.ts'

/** One path with all its operations, from one or more definitions. */
export interface Address {
  readonly path: string
  readonly archetype: ResourcePart['archetype']
  readonly operations: readonly ResourceOperation[]
}

/**
 * Groups operations by path. Paths that differ only in variable names share an address.
 *
 * @throws TypeError for an invalid path, and for a method that is defined twice.
 */
export function addressesOf(definitions: readonly ResourceDefinition[]): readonly Address[] {
  const addresses = new Map<string, Address>()
  for (const { path, archetype, operations } of definitions.flatMap(({ parts }) => parts)) {
    if (!path.split('/').every((segment) => /^(\{\w+\}|[\w.~-]+)$/.test(segment))) {
      throw invalidOption(
        'createResources: path: expected a path without leading or trailing slash, ' +
          `such as "orders/{order}", received "${path}"`,
      )
    }
    const shape = path.replaceAll(/\{\w+\}/g, '{}')
    const known = addresses.get(shape)
    const twice = operations.find(({ method }) => known?.operations.some((other) => other.method === method))
    if (twice !== undefined) {
      throw invalidOption(`createResources: duplicate ${twice.method} of "${path}", also defined as "${known?.path}"`)
    }
    addresses.set(shape, {
      path: known?.path ?? path,
      archetype: known?.archetype ?? archetype,
      operations: [...(known?.operations ?? []), ...operations],
    })
  }
  // Literal segments take precedence over variables: orders/search is not an order.
  return [...addresses.values()].sort((one, other) => compareShapes(one.path, other.path))
}

function compareShapes(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  for (const [at, segment] of a.entries()) {
    const against = b[at]
    if (against === undefined) return 1
    if (segment.startsWith('{') !== against.startsWith('{')) return segment.startsWith('{') ? 1 : -1
  }
  return a.length - b.length
}

/** Converts an address to a route of the HTTP exchange. */
export function routeOf({ path, operations }: Address, site: ResourceSettings): Route {
  const find = (wanted: string) => operations.find(({ method }) => method === wanted)
  const handle = (method: string) => {
    const operation = find(method)
    return (
      operation && {
        [method.toLowerCase()]: (call: Parameters<ResourceOperation['perform']>[0]) => operation.perform(call, site),
      }
    )
  }
  const resource: Resource = {
    access: (method) => find(method === 'HEAD' ? 'GET' : method)?.access ?? 'public',
    guard: (method) => find(method)?.guard ?? 'none',
    inserts: find('PUT')?.inserts ?? false,
    ...handle('GET'),
    ...handle('POST'),
    ...handle('PUT'),
    ...handle('DELETE'),
  }
  return { path, resource }
}

/** Returns the routes of all operations, for `checkRoutes`. */
export function routesOf(addresses: readonly Address[], basePath: string): readonly AppRoute[] {
  const root = basePath === '/' ? '' : basePath
  return addresses.flatMap(({ path, archetype, operations }) =>
    operations.map(({ method }) => ({ method, path: `${root}/${path}`, archetype })),
  )
}
