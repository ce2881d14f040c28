import { type AppRoute, servedRoutes } from '../../src/entries/adapter.ts'

/** The member of a Hono application that the adapter uses. */
export interface HonoApplication {
  readonly routes: readonly HonoRoute[]
}

/** A handler or a middleware, as it was registered. */
export interface HonoRoute {
  readonly path: string
  /** `ALL` for all methods. */
  readonly method: string
  readonly handler: object
}

/** Returns the routes of a Hono application. A middleware for all requests, such as `app.use('*', …)`, is not a route. */
export function honoRoutes({ routes }: HonoApplication): readonly AppRoute[] {
  const found = new Map<string, AppRoute>()
  for (const { path, method, handler } of routes) {
    const resources = servedRoutes(handler)
    for (const route of resources ?? []) found.set(`${route.method} ${route.path}`, route)
    if (resources !== undefined || (method === 'ALL' && path.endsWith('*'))) continue
    // Of several handlers of a route the last one responds.
    const all = method === 'ALL' ? '*' : method
    found.set(`${all} ${path}`, { method: all, path, handler: nameOf(handler) })
  }
  return [...found.values()]
}

/** A handler of an application that was mounted by `route` is wrapped if that has an error handler. */
function nameOf(handler: { readonly name?: unknown; readonly __COMPOSED_HANDLER?: unknown }): string {
  const { __COMPOSED_HANDLER: composed } = handler
  const { name } = typeof composed === 'function' ? composed : handler
  return typeof name === 'string' ? name : ''
}
