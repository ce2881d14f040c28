import type { FastifyInstance } from 'fastify'
import { type AppRoute, servedRoutes } from '../../src/entries/adapter.ts'
import type { Management } from '../../src/entries/index.ts'

/**
 * Registers the routes of an application. Fastify lists all of them, but has handlers only of those that are defined
 * after this plugin is loaded.
 */
export function registerRoutes(app: FastifyInstance, { mappings }: Management): void {
  const handlers = new Map<string, string>()
  app.addHook('onRoute', ({ method, url, handler }) => {
    for (const each of [method].flat()) handlers.set(`${each} ${url}`, handler.name)
  })
  mappings.register(app.server, 'fastify', () =>
    listRoutes(app).map((route) => ({ handler: handlers.get(`${route.method} ${route.path}`), ...route })),
  )
}

/** Returns the routes of an application; of those that serve resources with their handlers. */
export function listRoutes(app: Pick<FastifyInstance, 'printRoutes' | 'server'>): readonly AppRoute[] {
  return [...parseTree(app.printRoutes()), ...(servedRoutes(app.server) ?? [])]
}

/** A line of the tree: its depth, the part of the path behind that of the line above, and the methods of the route. */
const line = /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z-]+(?:, [A-Z-]+)*)\))?(?: \{.*\})?$/

/** Returns the routes of a tree such as that of `printRoutes`, whose parts are joined to paths. */
function parseTree(tree: string): readonly AppRoute[] {
  const parts: string[] = []
  return tree.split('\n').flatMap((text) => {
    const [, indentation = '', part, methods] = line.exec(text) ?? []
    if (part === undefined) return []
    const depth = indentation.length / 4
    parts.splice(depth, parts.length, part === '(empty root node)' ? '' : part)
    const path = parts.join('')
    // HEAD is derived from GET.
    const listed = (methods ?? '').split(', ').filter((method) => method !== '' && method !== 'HEAD')
    return listed.map((method) => ({ method, path }))
  })
}
