import type { ServerResponse } from 'node:http'
import { recordError } from '../../../entries/adapter.ts'
import { replaceMethod } from '../../../instrumentation/replaced-method.ts'
import type { Framework, ServedRequest } from './framework.ts'

/** The members of a request of hapi that are used. */
interface HapiRequest {
  readonly raw: { readonly req: RawRequest; readonly res: ServerResponse }
  readonly route?: { readonly method: string; readonly path: string }
}

/** An error in place of a response. */
interface HapiError {
  readonly isBoom?: boolean
  readonly isServer?: boolean
}

const requestOf: unique symbol = Symbol('upkeep.hapi')

type RawRequest = ServedRequest & { [requestOf]?: HapiRequest }

/** hapi 20 and 21: its requests are created by a static method of a class that can only be found outside of bundles. */
export const hapi: Framework = {
  name: 'hapi',
  observe({ modules }) {
    const observed = new WeakSet<object>()
    return {
      find() {
        for (const exported of modules.exportsOf('@hapi/hapi/lib/request.js')) {
          if (isRequestClass(exported) && !observed.has(exported)) observe(exported)
          if (isRequestClass(exported)) observed.add(exported)
        }
        return modules.has('@hapi/hapi')
      },
      routeOf(request: RawRequest) {
        const { route } = request[requestOf] ?? {}
        // The routes of 404 and of bad requests are hapi's own.
        return route === undefined || route.method === '_special' ? undefined : route.path
      },
    }
  },
}

interface RequestClass {
  generate: unknown
  readonly prototype: { _setResponse: unknown }
}

function isRequestClass(exported: unknown): exported is RequestClass {
  return typeof exported === 'function' && 'generate' in exported && typeof exported.generate === 'function'
}

function observe(requests: RequestClass): void {
  replaceMethod(requests, 'generate', (original, self, [server, request, ...rest]) => {
    const generated = original.call(self, server, request, ...rest) as HapiRequest
    const received = request as RawRequest
    received[requestOf] = generated
    return generated
  })
  if (typeof requests.prototype._setResponse !== 'function') return
  // hapi creates an error for each request without a route: errors of clients are not recorded.
  replaceMethod(requests.prototype, '_setResponse', (original, self, [response]) => {
    const { isBoom, isServer } = response as HapiError
    if (isBoom && isServer) recordError((self as HapiRequest).raw.res, response)
    return original.call(self, response)
  })
}
