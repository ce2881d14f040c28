import type { ServerResponse } from 'node:http'
import { createRouteTemplates, type RoutedRequest } from '../../../../adapters/express/route-template.ts'
import { type ExpressApplication, layersOf } from '../../../../adapters/express/router.ts'
import { expressRoutes, recordError } from '../../../entries/adapter.ts'
import { replaceMethod } from '../../../instrumentation/replaced-method.ts'
import type { Framework, ServedRequest } from './framework.ts'

/** Express 4 and 5, and NestJS on it: a request is that of node:http, and has its route when it has ended. */
export const express: Framework = {
  name: 'express',
  observe({ management, modules }) {
    const templates = createRouteTemplates()
    const known = new WeakSet<object>()
    const recordErrors = recordExpressErrors()
    let isFound = false

    const learn = (application: ExpressApplication) => {
      if (known.has(application)) return
      known.add(application)
      isFound = true
      templates.know(application)
      recordErrors(application)
      // Those that are mounted in another one are among its routes.
      if (application.parent === undefined) {
        management.mappings.register(application, 'express', () => expressRoutes(application) ?? [])
      }
    }

    return {
      find: () => isFound || modules.has('express'),
      onServer(server) {
        for (const listener of server.listeners('request')) if (isApplication(listener)) learn(listener)
      },
      routeOf(request: ServedRequest & RoutedRequest) {
        if (request.app === undefined) return undefined
        // An application that a listener of another kind has called.
        if (!known.has(request.app) && isApplication(request.app)) learn(request.app)
        return templates.templateOf(request)
      },
    }
  },
}

function isApplication(value: unknown): value is ExpressApplication {
  return typeof value === 'function' && 'mountpath' in value && 'handle' in value && 'engines' in value
}

type Done = (error?: unknown) => unknown

/**
 * Returns a function that records the errors of an application: those that its error handlers receive, and those that
 * reach the default one. Nothing is replaced in the way of requests without errors, except for one callback of each.
 */
function recordExpressErrors(): (application: ExpressApplication) => void {
  const prototypes = new WeakSet<object>()
  return (application) => {
    const router = routerOf(application)
    if (router === undefined) return
    replaceMethod(router, 'handle', (original, self, [request, response, done]) => {
      if (typeof done !== 'function') return original.call(self, request, response, done)
      const recordAndEnd: Done = (error) => {
        recordPassed(response, error)
        return (done as Done)(error)
      }
      return original.call(self, request, response, recordAndEnd)
    })
    const prototype = Object.getPrototypeOf(layersOf(application)[0] ?? null)
    if (prototype !== null && !prototypes.has(prototype)) recordHandled(prototype)
    if (prototype !== null) prototypes.add(prototype)
  }
}

/** All layers of a copy of Express have one prototype. */
function recordHandled(prototype: { handle_error: unknown; handleError: unknown }): void {
  for (const name of ['handle_error', 'handleError'] as const) {
    if (typeof prototype[name] !== 'function') continue
    replaceMethod(prototype, name, (original, self, [error, request, response, next]) => {
      recordPassed(response, error)
      return original.call(self, error, request, response, next)
    })
  }
}

/** Express passes `route` and `router` like errors, to leave these. */
function recordPassed(response: unknown, error: unknown): void {
  if (error === undefined || error === null || error === 'route' || error === 'router') return
  recordError(response as ServerResponse, error)
}

/** Express 4 throws when `router` is read, and has none before the first route. */
function routerOf(application: ExpressApplication): { handle: unknown } | undefined {
  const router = 'lazyrouter' in application ? application._router : application.router
  const isRouter = typeof router === 'function' && 'handle' in router && typeof router.handle === 'function'
  return isRouter ? (router as typeof router & { handle: unknown }) : undefined
}
