import type { FastifyInstance } from 'fastify'
import { type AppRoute, servedRoutes } from '../../src/entries/adapter.ts'
import type { Management } from '../../src/entries/index.ts'

/** The function that handles the requests of a route. */
interface Handler {
  readonly name: string
}

/** The members of an application that are read. Fastify 4 has no list of its methods. */
type Application = Pick<FastifyInstance, 'printRoutes' | 'server'> & Partial<Pick<FastifyInstance, 'supportedMethods'>>

/** Handlers by method and path, by server: `observe` and `manage` of one application add to the same ones. */
const handlersByServer = new WeakMap<object, Map<string, Handler>>()

/** The methods of a route of all methods in each version of Fastify 4; later ones have some more. */
const allMethodsOf4: readonly string[] = [
  ...['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'OPTIONS', 'PROPFIND'],
  ...['PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'TRACE', 'SEARCH'],
]

/**
 * Registers the routes of an application. Fastify lists all of them, but has handlers only of those that are defined
 * after the first plugin is loaded.
 */
export function registerRoutes(app: FastifyInstance, { mappings }: Management): void {
  const handlers = handlersByServer.get(app.server) ?? new Map<string, Handler>()
  handlersByServer.set(app.server, handlers)
  app.addHook('onRoute', ({ method, url, handler }) => {
    for (const each of [method].flat()) handlers.set(`${each} ${url}`, handler)
  })
  mappings.register(app.server, 'fastify', () => listRoutes(app, handlers))
}

/** Returns the routes of an application; of those that serve resources with their handlers. */
export function listRoutes(app: Application, handlers: ReadonlyMap<string, Handler> = new Map()): readonly AppRoute[] {
  const all = app.supportedMethods ?? allMethodsOf4
  const routes = parseTree(app.printRoutes()).flatMap(({ path, methods }) => {
    const byMethod = methods.map((method) => ({ method, handler: handlers.get(`${method} ${path}`) }))
    const isOne = byMethod.every(({ handler }) => handler === byMethod[0]?.handler)
    if (isOne && all.every((method) => methods.includes(method))) {
      return [{ method: '*', path, handler: byMethod[0]?.handler?.name }]
    }
    // HEAD is derived from GET.
    const shown = byMethod.filter(({ method }) => method !== 'HEAD')
    return shown.map(({ method, handler }) => ({ method, path, handler: handler?.name }))
  })
  return [...routes, ...(servedRoutes(app.server) ?? [])]
}

/** A line of the tree: its depth, the part of the path behind that of the line above, and the methods of the route. */
const line = /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z-]+(?:, [A-Z-]+)*)\))?(?: \{.*\})?$/

/** Returns the paths of a tree such as that of `printRoutes`, whose parts are joined, with their methods. */
function parseTree(tree: string): readonly { readonly path: string; readonly methods: readonly string[] }[] {
  const parts: string[] = []
  return tree.split('\n').flatMap((text) => {
    const [, indentation = '', part, methods] = line.exec(text) ?? []
    if (part === undefined) return []
    const depth = indentation.length / 4
    parts.splice(depth, parts.length, part === '(empty root node)' ? '' : part)
    return methods === undefined ? [] : [{ path: parts.join(''), methods: methods.split(', ') }]
  })
}
