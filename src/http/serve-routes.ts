import type { Clock } from '../base/clock.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { contain, type Report } from '../base/report.ts'
import { type AbsoluteRoutes, createAbsoluteRoutes } from './absolute-routes.ts'
import { type Authorize, reportUnusable } from './authorize.ts'
import type { CorsOptions } from './conventions/cors.ts'
import { pathBelow, pathOf, rootBelow, rootOf, segmentsOf } from './conventions/target.ts'
import { createCorsExchange } from './cors-exchange.ts'
import { exchange } from './exchange.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import { requireRequest } from './require-request.ts'
import { createRouter, type PlacedRoute, type Route } from './router.ts'

/**
 * Returns the response to a request, or `undefined` if the request is not for it and has to be passed on. The response
 * is returned synchronously where nothing has to be waited for; a promise never rejects.
 *
 * @throws TypeError naming a required member that the request object does not have.
 */
export interface RequestHandler {
  /** Returns the response, or `undefined` if the request is not for one of the resources. */
  (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined
  /** Returns the template of the path of a request, such as `/orders/{order}`, for observation. */
  readonly templateOf?: ((request: ManagementRequest) => string | undefined) | undefined
}

/** Options of `serveRoutes`. */
export interface ServeRoutesOptions {
  /** The path below which the routes are: without a trailing slash, or `/`. */
  readonly basePath: string
  /** Authenticates callers. If it is `undefined`, resources that are not public respond with 403. */
  readonly authorize: Authorize | undefined
  readonly clock: Clock
  /** Called with failures. */
  readonly report: Report
  /** Whether changes that a page of another origin requests are refused with 403. @default false */
  readonly refuseCrossSite?: boolean | undefined
  /** Aborts when endless responses must end, such as `draining` of `shutdownGracefully`. @default never */
  readonly draining?: AbortSignal | undefined
}

/** A handler of requests for routes, with those of its routes that begin at the root of the server. */
export interface ServedRoutes extends RequestHandler {
  /** `undefined` without such routes. */
  readonly absolute: AbsoluteRoutes | undefined
}

/** Options of `servePlacedRoutes`. */
export interface ServePlacedRoutesOptions extends ServeRoutesOptions {
  /** Which pages of other origins may request the routes. @default none: there are no CORS fields */
  readonly cors?: CorsOptions | undefined
}

/** Serves routes below a base path. */
export function serveRoutes(routes: readonly Route[], options: ServeRoutesOptions): RequestHandler {
  requireKnownOptions(
    'serveRoutes',
    options,
    ['basePath', 'authorize', 'clock', 'report', 'refuseCrossSite', 'draining'],
    {
      foreignNames: { path: 'basePath', prefix: 'basePath', auth: 'authorize', onError: 'report' },
    },
  )
  return servePlacedRoutes(routes, options)
}

/** Serves routes below a base path, and those whose path begins at the root of the server. */
export function servePlacedRoutes(
  routes: readonly PlacedRoute[],
  { basePath, authorize, clock, report, refuseCrossSite = false, draining, cors }: ServePlacedRoutesOptions,
): ServedRoutes {
  const respondTo = cors === undefined ? exchange : createCorsExchange(cors)
  const atRoot = routes.filter(({ path }) => path.startsWith('/'))
  const router = createRouter(routes.filter((route) => !atRoot.includes(route)))
  const reportSafely = contain(report)
  const checked = authorize && reportUnusable(authorize, reportSafely)
  const context = { router, authorize: checked, clock, report: reportSafely, refuseCrossSite, draining }
  const root = rootOf(basePath)
  const absolute = atRoot.length === 0 ? undefined : createAbsoluteRoutes(atRoot)
  const rootContext = absolute && { ...context, router: absolute.router }
  const isEmpty = atRoot.length === routes.length

  // Frequent requests such as probes are found by their whole target.
  const paths = new Map([...router.literals.keys()].map((path) => [root + path, path]))

  const pathIn = ({ target, mountPath = '' }: ManagementRequest): string | undefined => {
    if (root !== '' && rootBelow(mountPath, root) === '') {
      // Frameworks replace an empty path below a mount path by a slash.
      const path = pathOf(target)
      return path === '/' ? '' : path
    }
    return paths.get(target) ?? pathBelow(basePath, pathOf(target))
  }

  const respond = (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined => {
    requireRequest('management', request)
    if (rootContext !== undefined) {
      const whole = absolute?.pathIn(request.target, request.mountPath)
      if (whole !== undefined) return respondTo(request, whole, rootContext)
      if (isEmpty) return undefined
    }
    const path = pathIn(request)
    if (path === undefined) return undefined
    // At the root, requests without a route belong to the rest of the application.
    if (basePath === '/' && router(segmentsOf(path) ?? []) === undefined) return undefined
    return respondTo(request, path, context)
  }
  const templateOf = (request: ManagementRequest) => {
    const path = pathIn(request)
    const match = path === undefined ? undefined : router(segmentsOf(path) ?? [])
    return match && `${rootBelow(request.mountPath ?? '', basePath)}/${match.path}`
  }
  return Object.assign(respond, { templateOf, absolute })
}
