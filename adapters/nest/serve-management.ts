import type { IncomingMessage, ServerResponse } from 'node:http'
import { withErrorCode } from '../../src/entries/adapter.ts'
import type { Management, Report } from '../../src/entries/index.ts'
import { createRouteTemplates } from '../express/route-template.ts'
import { type ExpressRequest, manage as manageExpress } from '../express.ts'
import { type FastifyPlugin, manage as manageFastify, observe as observeFastify } from '../fastify.ts'
import type { HttpAdapter, HttpAdapterHost } from './nest.ts'

/** A request and a response of the platform, as a guard receives them. */
export interface PlatformMessages {
  readonly request: object
  readonly response: object | undefined
}

const messages = new WeakMap<IncomingMessage, PlatformMessages>()

/** Returns the request and the response of the platform for a request of node:http. */
export function platformMessages(message: IncomingMessage): PlatformMessages | undefined {
  return messages.get(message)
}

/**
 * Serves the management and observes requests, before everything that the application adds to its platform: a body
 * parser that rejects a request, a middleware and an unknown route are observed as well.
 */
export function serveManagement(host: HttpAdapterHost, management: Management, report: Report): void {
  host.init$.subscribe(() => {
    try {
      if (host.httpAdapter !== undefined) addTo(host.httpAdapter, management)
    } catch (error) {
      report('failed to serve the management', error)
    }
  })
}

function addTo(adapter: HttpAdapter, management: Management): void {
  const instance = adapter.getInstance()
  if (isFastify(adapter, instance)) {
    instance.register(observeFastify(management))
    instance.addHook('onRequest', (request, response, done) => {
      messages.set(request.raw, { request, response })
      done()
    })
    instance.register(manageFastify(management))
  } else if (isExpress(adapter, instance)) {
    instance.use(observeExpress(management))
    instance.use(manageExpress(management))
  } else {
    throw withErrorCode(
      new TypeError(`UpkeepModule: expected the platform "express" or "fastify", received "${adapter.getType()}"`),
      'UPKEEP_EOPTION',
    )
  }
}

/** Below a global prefix, Nest 12 responds to unknown paths by a route, which is not one of the application. */
const unknownPath = '*path'

function observeExpress({ observation }: Management) {
  const { know, templateOf } = createRouteTemplates()
  const routeOf = (request: ExpressRequest) => (request.route?.path === unknownPath ? undefined : templateOf(request))
  return (request: ExpressRequest, response: ServerResponse, next: () => void) => {
    know(request.app)
    messages.set(request, { request, response })
    observation.begin(response, request, routeOf, next)
  }
}

interface ExpressInstance {
  use(middleware: unknown): unknown
}

interface FastifyInstance {
  register(plugin: FastifyPlugin): unknown
  addHook(
    name: 'onRequest',
    hook: (request: { readonly raw: IncomingMessage }, response: object, done: () => void) => void,
  ): unknown
}

function isExpress(adapter: HttpAdapter, _instance: unknown): _instance is ExpressInstance {
  return adapter.getType() === 'express'
}

function isFastify(adapter: HttpAdapter, _instance: unknown): _instance is FastifyInstance {
  return adapter.getType() === 'fastify'
}
