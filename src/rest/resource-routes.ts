import type { Resource } from '../http/resource.ts'
import type { Route } from '../http/router.ts'
import type { Operation, Part, ResourceDefinition } from './archetypes/part.ts'
import type { Site } from './archetypes/site.ts'

/** One address with all that can be done there, whichever definitions say it. */
export interface Address {
  readonly path: string
  readonly archetype: Part['archetype']
  readonly operations: readonly Operation[]
}

/**
 * The addresses of resources. Definitions whose paths differ in nothing but the names of variables share an address.
 *
 * @throws TypeError for a path that is none, and for a method that is there twice.
 */
export function addressesOf(definitions: readonly ResourceDefinition[]): readonly Address[] {
  const addresses = new Map<string, Address>()
  for (const { path, archetype, operations } of definitions.flatMap(({ parts }) => parts)) {
    if (!path.split('/').every((segment) => /^(\{\w+\}|[\w.~-]+)$/.test(segment))) {
      throw new TypeError(`createResources: '${path}' is no path such as orders/{order}, without a slash at its ends`)
    }
    const shape = path.replaceAll(/\{\w+\}/g, '{}')
    const known = addresses.get(shape)
    const twice = operations.find(({ method }) => known?.operations.some((other) => other.method === method))
    if (twice !== undefined) {
      throw new TypeError(`createResources: ${twice.method} of '${path}' is there twice, as of '${known?.path}'`)
    }
    addresses.set(shape, {
      path: known?.path ?? path,
      archetype: known?.archetype ?? archetype,
      operations: [...(known?.operations ?? []), ...operations],
    })
  }
  // What is named goes before what varies: orders/search is no order.
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

/** An address as the exchange serves it. */
export function routeOf({ path, operations }: Address, site: Site): Route {
  const find = (wanted: string) => operations.find(({ method }) => method === wanted)
  const handle = (method: string) => {
    const operation = find(method)
    return (
      operation && {
        [method.toLowerCase()]: (call: Parameters<Operation['perform']>[0]) => operation.perform(call, site),
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
