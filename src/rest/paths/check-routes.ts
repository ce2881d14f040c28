import { invalidArgument } from '../../base/errors.ts'
import type { AppRoute } from './app-route.ts'
import { type BrokenRule, checkPath } from './check-path.ts'
import { expressRoutes } from './express-routes.ts'
import { koaRoutes } from './koa-routes.ts'

/** A route with the rules it breaks. */
export interface BrokenRoute extends AppRoute {
  readonly broken: readonly BrokenRule[]
}

/**
 * Checks the routes of an Express 4 or 5 application, of @koa/router, of a Koa application with such routers, or of a
 * list, and returns those that break naming rules. Regular-expression paths are skipped. Pass a mounted Express
 * application separately.
 *
 * @throws TypeError when no routes can be read from the argument.
 */
export function checkRoutes(app: object): readonly BrokenRoute[] {
  return routesOf(app).flatMap((route) => {
    // The rules do not apply to regular expressions.
    if (route.isPattern) return []
    const broken = checkPath(plain(route.path), { archetype: route.archetype })
    return broken.length === 0 ? [] : [{ ...route, broken }]
  })
}

function routesOf(app: object): readonly AppRoute[] {
  if (Array.isArray(app)) return app as readonly AppRoute[]
  const routes = koaRoutes(app) ?? expressRoutes(app)
  if (routes === undefined) {
    throw invalidArgument(
      'checkRoutes: expected an Express or Koa application, a router, or a list of { method, path }',
    )
  }
  return routes
}

/** Removes parameter patterns from a route's path: `/orders/:id(\\d+)?` becomes `/orders/:id`. */
function plain(path: string): string {
  return path
    .replaceAll(/\([^()]*\)/g, '')
    .replaceAll(/\{(\/?[:*]\w+)\}/g, '$1')
    .replaceAll(/[?+*](?=\/|$)/g, '')
    .replaceAll(/\/\*\w*/g, '/:rest')
    .replaceAll(/(:\w+)(?=[.:-])[^/]*/g, '$1')
}
