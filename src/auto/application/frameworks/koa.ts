import type { ServerResponse } from 'node:http'
import { type RoutedContext, templateOf } from '../../../../adapters/koa/route-template.ts'
import { koaRoutes, recordError } from '../../../entries/adapter.ts'
import { replaceMethod } from '../../../instrumentation/replaced-method.ts'
import type { KoaApplication } from '../../traps.ts'
import type { Framework, ServedRequest } from './framework.ts'

/** The members of a context that are used: of Koa, of @koa/router and koa-router, and of koa-mount. */
interface KoaContext extends RoutedContext {
  readonly res: ServerResponse
}

const contextOf: unique symbol = Symbol('upkeep.koa')

type KoaRequest = ServedRequest & { [contextOf]?: KoaContext }

/** Koa 2 and 3, with @koa/router: the route of a request is in its context, which the request does not refer to. */
export const koa: Framework = {
  name: 'koa',
  observe({ management, traps }) {
    const observed = new WeakSet<KoaApplication>()

    const observe = (application: KoaApplication) => {
      observed.add(application)
      replaceMethod(application, 'createContext', (original, self, [request, response]) => {
        const context = original.call(self, request, response) as KoaContext
        const received = request as KoaRequest
        received[contextOf] = context
        return context
      })
      recordErrors(application.context)
      management.mappings.register(application, 'koa', () => koaRoutes(application) ?? [])
    }

    return {
      find() {
        for (const application of traps.koa) if (!observed.has(application)) observe(application)
        return traps.koa.size > 0
      },
      routeOf(request: KoaRequest) {
        const context = request[contextOf]
        return context === undefined ? undefined : templateOf(context)
      },
    }
  },
}

/** Errors that no middleware catches reach the context, also those that become a 4xx. */
function recordErrors(prototype: object & { onerror?: unknown }): void {
  replaceMethod(prototype as { onerror: unknown }, 'onerror', (original, self, [error]) => {
    if (error !== null && error !== undefined) recordError((self as KoaContext).res, error)
    return original.call(self, error)
  })
}
