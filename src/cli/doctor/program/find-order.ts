import { expressRoutes } from '../../../rest/paths/express-routes.ts'
import { koaRoutes } from '../../../rest/paths/koa-routes.ts'
import type { ProgramFacts } from './program-facts.ts'

/** The members of an Express application or router, and of its layers, that are read. */
interface ExpressApplication {
  readonly router?: { readonly stack?: readonly { readonly handle?: unknown }[] }
  readonly _router?: { readonly stack?: readonly { readonly handle?: unknown }[] }
}

/** Finds the routes that are registered before `observe`, which Express and Koa run in this order. */
export function findOrder(applications: ReadonlyMap<object, string>): ProgramFacts['order'] {
  const orders = [...applications].map(([app, framework]) => {
    switch (framework) {
      case 'express':
        return expressOrder(app)
      case 'koa':
        return koaOrder(app as { readonly middleware?: readonly unknown[] })
      default:
        return undefined
    }
  })
  return {
    isKnown: orders.some((routes) => routes !== undefined),
    before: orders.flatMap((routes) => routes ?? []).map(({ method, path }) => `${method} ${path}`),
  }
}

function expressOrder(app: ExpressApplication) {
  // Express 4 throws if `router` is read.
  const { stack = [] } = app._router ?? app.router ?? {}
  const at = stack.findIndex(({ handle }) => isObserve(handle))
  return at < 0 ? undefined : expressRoutes(Object.assign(() => {}, { stack: stack.slice(0, at) }))
}

function koaOrder({ middleware = [] }: { readonly middleware?: readonly unknown[] }) {
  const at = middleware.findIndex(isObserve)
  return at < 0 ? undefined : koaRoutes({ middleware: middleware.slice(0, at) })
}

function isObserve(handler: unknown): boolean {
  return typeof handler === 'function' && handler.name === 'upkeepObserve'
}
