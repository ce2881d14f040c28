import { createRouteTemplates, type RoutedRequest } from '../../../../adapters/express/route-template.ts'
import type { ExpressApplication } from '../../../../adapters/express/router.ts'
import { expressRoutes } from '../../../entries/adapter.ts'
import { recordExpressErrors } from './express-errors.ts'
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
