import type { ServerResponse } from 'node:http'
import { type HonoRoute, honoRoutes, isMount } from '../../../../adapters/hono/application-routes.ts'
import { mountTemplate, recordError } from '../../../entries/adapter.ts'
import type { HonoApplication } from '../../traps.ts'
import type { Framework, ServedRequest } from './framework.ts'

const routeOfRequest: unique symbol = Symbol('upkeep.hono')

type RoutedRequest = ServedRequest & { [routeOfRequest]?: string | undefined }

/** The members of an application that are replaced. */
interface ObservableHono extends HonoApplication {
  routes: readonly HonoRoute[]
  router: HonoRouter
  errorHandler?: (error: unknown, context: HonoContext) => unknown
}

interface HonoRouter {
  readonly name: string
  add(...args: unknown[]): unknown
  match(method: string, path: string): HonoMatch
}

/** The matched handlers, each with its route. */
type HonoMatch = readonly [readonly (readonly [readonly [unknown, HonoRoute], ...unknown[]])[], ...unknown[]]

interface HonoContext {
  readonly env?: { readonly outgoing?: ServerResponse } | undefined
}

/**
 * Hono 4 on @hono/node-server. A request does not refer to its route, but its routes are matched in the same turn in
 * which node:http begins it.
 */
export const hono: Framework = {
  name: 'hono',
  observe({ management, traps }) {
    const observed = new WeakSet<HonoApplication>()
    let current: RoutedRequest | undefined
    const leave = () => {
      current = undefined
    }
    const observe = (application: ObservableHono) => {
      observed.add(application)
      application.router = watchMatches(application.router, (template) => {
        if (current !== undefined) current[routeOfRequest] ??= template
      })
      recordErrors(application)
      management.mappings.register(application, 'hono', () => honoRoutes(application))
    }
    return {
      find() {
        for (const application of traps.hono) {
          if (!observed.has(application) && isObservable(application)) observe(application)
        }
        return traps.hono.size > 0
      },
      onRequest(request) {
        if (traps.hono.size === 0) return
        current = request
        queueMicrotask(leave)
      },
      routeOf: (request: RoutedRequest) => request[routeOfRequest],
    }
  },
}

/** An application gets its router in the constructor, after the trap. */
function isObservable(application: HonoApplication): application is ObservableHono {
  const { router } = application as Partial<ObservableHono>
  return typeof router?.match === 'function' && typeof router.add === 'function'
}

/** Passes the template of each match on. A router replaces its own `match` with the first request. */
function watchMatches(router: HonoRouter, matched: (template: string | undefined) => void): HonoRouter {
  return {
    get name() {
      return router.name
    },
    add: (...args) => router.add(...args),
    match(method, path) {
      const match = router.match(method, path)
      matched(templateIn(match))
      return match
    },
  }
}

/** The last handler of a route responds. Without a route, the last middleware is taken for the one that responds. */
function templateIn([handlers]: HonoMatch): string | undefined {
  const routes = handlers.map(([[, route]]) => route)
  const last = routes.findLast(({ method }) => method !== 'ALL') ?? routes.findLast((route) => !isMount(route))
  return last === undefined ? mountTemplateIn(routes) : last.path
}

function mountTemplateIn(middleware: readonly HonoRoute[]): string | undefined {
  const templates = middleware.map(({ path }) => mountTemplate(path))
  return templates.findLast((template) => template !== undefined)
}

function recordErrors(application: ObservableHono): void {
  const { errorHandler } = application
  if (typeof errorHandler !== 'function') return
  application.errorHandler = (error, context) => {
    const response = context?.env?.outgoing
    if (response !== undefined) recordError(response, error)
    return errorHandler.call(application, error, context)
  }
}
