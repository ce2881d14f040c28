import type { AppRoute } from './app-route.ts'

interface RouterLayer {
  readonly path: unknown
  readonly methods: readonly string[]
}

/**
 * Returns the routes of @koa/router, or of a Koa application with routers at its top level or inside koa-compose;
 * `undefined` for anything else.
 */
export function koaRoutes(app: object): readonly AppRoute[] | undefined {
  if ('middleware' in app && Array.isArray(app.middleware)) {
    return app.middleware.flatMap((each) => koaRoutes((each as { readonly router?: object }).router ?? {}) ?? [])
  }
  if (typeof app === 'function' || !('stack' in app) || !Array.isArray(app.stack)) return undefined
  return (app.stack as readonly RouterLayer[]).flatMap(({ path, methods }) =>
    // Middleware has no method.
    typeof path === 'string' ? methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path })) : [],
  )
}
