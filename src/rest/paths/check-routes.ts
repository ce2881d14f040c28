import type { AppRoute } from './app-route.ts'
import { type BrokenRule, checkPath } from './check-path.ts'
import { expressRoutes } from './express-routes.ts'
import { koaRoutes } from './koa-routes.ts'

/** A route that breaks rules. */
export interface BrokenRoute extends AppRoute {
  readonly broken: readonly BrokenRule[]
}

/**
 * The routes of an application of Express 4 or 5, of @koa/router, of Koa with such routers in it, or of a list, that break a
 * rule of paths. Of a path that is a regular expression nothing is said. An application of Express that is mounted in
 * another is asked by itself.
 *
 * @throws TypeError for what has no routes that could be found.
 */
export function checkRoutes(app: object): readonly BrokenRoute[] {
  return routesOf(app).flatMap((route) => {
    const broken = checkPath(plain(route.path), route)
    return broken.length === 0 ? [] : [{ ...route, broken }]
  })
}

function routesOf(app: object): readonly AppRoute[] {
  if (Array.isArray(app)) return app as readonly AppRoute[]
  const routes = koaRoutes(app) ?? expressRoutes(app)
  if (routes === undefined) {
    throw new TypeError('checkRoutes: pass an application of Express or Koa, a router, or a list of { method, path }')
  }
  return routes
}

/** A route's path without what is said of its parameters: `/orders/:id(\\d+)?` is `/orders/:id`. */
function plain(path: string): string {
  return path
    .replaceAll(/\([^()]*\)/g, '')
    .replaceAll(/\{(\/?[:*]\w+)\}/g, '$1')
    .replaceAll(/[?+*](?=\/|$)/g, '')
    .replaceAll(/\/\*\w*/g, '/:rest')
    .replaceAll(/(:\w+)(?=[.:-])[^/]*/g, '$1')
}
