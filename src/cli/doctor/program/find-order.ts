import { expressRoutes } from '../../../rest/paths/express-routes.ts'
import { koaRoutes } from '../../../rest/paths/koa-routes.ts'
import type { OrderFacts } from './program-facts.ts'

/** The members of an Express application or router, of its layers, and of the routes of these, that are read. */
interface ExpressLayer {
  readonly handle?: unknown
  readonly route?: ExpressRouter
}
interface ExpressRouter {
  readonly stack?: readonly ExpressLayer[]
}
interface ExpressApplication {
  readonly router?: ExpressRouter
  readonly _router?: ExpressRouter
}

/** The members of a middleware of @koa/router that are read. */
interface KoaRouting {
  readonly router?: { readonly stack?: readonly { readonly stack?: readonly unknown[] }[] }
}

/** Finds the routes that are registered before `observe`, which Express and Koa run in this order. */
export function findOrder(applications: ReadonlyMap<object, string>): OrderFacts {
  const orders = [...applications].flatMap(([app, framework]) => {
    if (framework === 'express') return [expressOrder(app)]
    return framework === 'koa' ? [koaOrder(app)] : []
  })
  return {
    isKnown: orders.some(({ routes }) => routes !== undefined),
    before: orders.flatMap(({ routes }) => routes ?? []).map(({ method, path }) => `${method} ${path}`),
    isInRouter: orders.some(({ isInRouter }) => isInRouter),
  }
}

function expressOrder(app: ExpressApplication) {
  // Express 4 throws if `router` is read.
  const { stack = [] } = app._router ?? app.router ?? {}
  const at = stack.findIndex(({ handle }) => isObserve(handle))
  if (at >= 0)
    return { routes: expressRoutes(Object.assign(() => {}, { stack: stack.slice(0, at) })), isInRouter: false }
  return { routes: undefined, isInRouter: observesInside(stack, new Set([stack])) }
}

function observesInside(stack: readonly ExpressLayer[], seen: Set<unknown>): boolean {
  return stack.some(({ handle, route }) => {
    if (isObserve(handle)) return true
    return [route, handle as ExpressRouter | undefined].some((inner) => {
      if (!Array.isArray(inner?.stack) || seen.has(inner.stack)) return false
      return observesInside(inner.stack, seen.add(inner.stack))
    })
  })
}

function koaOrder({ middleware = [] }: { readonly middleware?: readonly unknown[] }) {
  const at = middleware.findIndex(isObserve)
  if (at >= 0) return { routes: koaRoutes({ middleware: middleware.slice(0, at) }), isInRouter: false }
  const layers = middleware.flatMap((each) => (each as KoaRouting).router?.stack ?? [])
  return { routes: undefined, isInRouter: layers.some(({ stack = [] }) => stack.some(isObserve)) }
}

function isObserve(handler: unknown): boolean {
  return typeof handler === 'function' && handler.name === 'upkeepObserve'
}
