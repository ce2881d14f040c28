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

/** Whether requests to any path below the one of a handler reach it, as those to `app.use('/admin/*', …)` do. */
export function isMount({ path, method }: Pick<HonoRoute, 'path' | 'method'>): boolean {
  return method === 'ALL' && path.endsWith('*')
}

/** Returns the routes of a Hono application. A middleware, such as `app.use('*', …)`, is not a route. */
export function honoRoutes({ routes }: HonoApplication): readonly AppRoute[] {
  const found = new Map<string, AppRoute>()
  for (const route of routes) {
    const { path, method, handler } = route
    const resources = servedRoutes(handler)
    for (const served of resources ?? []) found.set(`${served.method} ${served.path}`, served)
    if (resources !== undefined || isMount(route)) continue
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
