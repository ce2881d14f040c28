import { listRoutes } from '../../../../adapters/fastify/registered-routes.ts'
import { mountTemplate, recordError } from '../../../entries/adapter.ts'
import type { FastifyHooks, FastifyRequest } from '../../traps.ts'
import type { Framework, ServedRequest } from './framework.ts'

const requestOf: unique symbol = Symbol('upkeep.fastify')

type RawRequest = ServedRequest & { [requestOf]?: RoutedRequest }

/** The members of a request that identify its route. */
interface RoutedRequest extends FastifyRequest {
  /** Since Fastify 4.10. */
  readonly routeOptions?: { readonly url?: string | undefined }
  readonly routerPath?: string | undefined
  /** The plugin to which the route belongs, or the handler of unknown paths. */
  readonly server: { readonly prefix: string }
}

/** Fastify 4 and 5, and NestJS on it: by hooks, which the traps add to each application before its routes. */
export const fastify: Framework = {
  name: 'fastify',
  observe({ management: { mappings, observation }, traps }) {
    Object.assign(traps.fastifyHooks, {
      onRequest(request: RoutedRequest) {
        const raw: RawRequest = request.raw
        raw[requestOf] = request
      },
      preValidation: ({ raw }, done) => observation.resume(raw, done),
      onError: ({ raw }, error) => recordError(raw, error),
    } satisfies FastifyHooks)
    return {
      find() {
        for (const application of traps.fastify) {
          mappings.register(application.server, 'fastify', () => listRoutes(application))
        }
        return traps.fastify.size > 0
      },
      routeOf(request: RawRequest) {
        const routed = request[requestOf]
        if (routed === undefined) return undefined
        const route = routed.routeOptions === undefined ? routed.routerPath : routed.routeOptions.url
        return route ?? mountTemplate(routed.server.prefix)
      },
    }
  },
}
