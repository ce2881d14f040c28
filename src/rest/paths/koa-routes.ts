import type { AppRoute } from './app-route.ts'
import { servedRoutes } from './served-routes.ts'

interface RouterLayer {
  readonly path: unknown
  readonly methods: readonly string[]
  /** The middleware of the route; the last one responds. */
  readonly stack?: readonly { readonly name?: string }[] | undefined
}

/**
 * Returns the routes of @koa/router, or of a Koa application with routers at its top level or inside koa-compose;
 * `undefined` for anything else.
 */
export function koaRoutes(app: object): readonly AppRoute[] | undefined {
  if ('middleware' in app && Array.isArray(app.middleware)) {
    return app.middleware.flatMap(
      (each) => servedRoutes(each) ?? koaRoutes((each as { readonly router?: object }).router ?? {}) ?? [],
    )
  }
  if (typeof app === 'function' || !('stack' in app) || !Array.isArray(app.stack)) return undefined
  return (app.stack as readonly RouterLayer[]).flatMap(({ path, methods, stack = [] }) => {
    const isPattern = path instanceof RegExp
    if (typeof path !== 'string' && !isPattern) return []
    const handler = stack.at(-1)?.name
    const route = isPattern ? { path: path.source, handler, isPattern } : { path, handler }
    // `router.all` registers every method that Node knows; no application lists as many.
    if (methods.length > 20) return [{ method: '*', ...route }]
    // Middleware has no method.
    return methods.filter((method) => method !== 'HEAD').map((method) => ({ method, ...route }))
  })
}
