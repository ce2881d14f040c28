import type { AppRoute } from './app-route.ts'

interface RouterLayer {
  readonly path: unknown
  readonly methods: readonly string[]
}

/**
 * The routes of a router of @koa/router, or of a Koa application, which knows of the routers in it and of those in what
 * koa-compose joined nothing; `undefined` for neither.
 */
export function koaRoutes(app: object): readonly AppRoute[] | undefined {
  if ('middleware' in app && Array.isArray(app.middleware)) {
    return app.middleware.flatMap((each) => koaRoutes((each as { readonly router?: object }).router ?? {}) ?? [])
  }
  if (typeof app === 'function' || !('stack' in app) || !Array.isArray(app.stack)) return undefined
  return (app.stack as readonly RouterLayer[]).flatMap(({ path, methods }) =>
    // What is used, and not a route, has no method.
    typeof path === 'string' ? methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path })) : [],
  )
}
