import type { AppRoute } from './app-route.ts'

/** Shared by duplicate installs of upkeep: one may serve resources that another lists. */
const served: unique symbol = Symbol.for('upkeep.served')

interface Served {
  [served]?: readonly AppRoute[] | undefined
}

/** Marks a middleware, or another object, as serving resources, so that their routes are found. Returns it. */
export function markServed<M extends object>(middleware: M, resources: object): M {
  const added =
    'routes' in resources && Array.isArray(resources.routes) ? (resources.routes as readonly AppRoute[]) : []
  const marked: M & Served = middleware
  marked[served] = [...(marked[served] ?? []), ...added]
  return middleware
}

/** Returns the routes of the resources that a middleware serves; `undefined` if it serves none. */
export function servedRoutes(middleware: unknown): readonly AppRoute[] | undefined {
  return typeof middleware === 'function' || (typeof middleware === 'object' && middleware !== null)
    ? (middleware as Served)[served]
    : undefined
}
