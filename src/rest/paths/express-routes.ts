import type { AppRoute } from './app-route.ts'
import { servedRoutes } from './served-routes.ts'

/** A router layer of Express 4 or 5. */
interface Layer {
  readonly route?: Route | undefined
  readonly handle?: unknown
  /** Express ≥ 5.3. */
  readonly rawPath?: unknown
  /** Express 4. */
  readonly regexp?: (RegExp & { readonly fast_slash?: boolean }) | undefined
  readonly keys?: readonly { readonly name: string | number }[] | undefined
  readonly slash?: boolean | undefined
}

interface Route {
  readonly path: unknown
  readonly methods: Readonly<Record<string, boolean>>
  /** The handlers of its methods; without a method for all of them. */
  readonly stack?: readonly { readonly method?: string | undefined; readonly handle?: unknown }[] | undefined
}

/**
 * Returns the routes of an Express application or router, including mounted routers; `undefined` for anything else. A
 * mounted application is not visible from its parent, but knows its own mount path. The mount path of a router is
 * unknown in Express 5 before 5.3, and omitted.
 */
export function expressRoutes(app: object): readonly AppRoute[] | undefined {
  const stack = stackOf(app)
  return stack && [...routesIn(stack, prefixOf(app), new Set([stack]))]
}

function* routesIn(stack: readonly Layer[], above: string, seen: ReadonlySet<unknown>): Generator<AppRoute> {
  for (const layer of stack) {
    if (layer.route !== undefined) {
      yield* routesOf(layer.route, above)
      continue
    }
    for (const route of servedRoutes(layer.handle) ?? []) {
      yield { ...route, path: join(join(above, mountPath(layer)), route.path) }
    }
    const inner = stackOf(layer.handle)
    if (inner !== undefined && !seen.has(inner)) {
      yield* routesIn(inner, join(above, mountPath(layer)), new Set([...seen, inner]))
    }
  }
}

function* routesOf(route: Route, above: string): Generator<AppRoute> {
  for (const path of [route.path].flat(2)) {
    for (const method of methodsOf(route.methods)) {
      const handler = handlerOf(route, method)
      if (typeof path === 'string') yield { method, path: join(above, path), handler }
      else if (path instanceof RegExp) yield { method, path: above + path.source, handler, isPattern: true }
    }
  }
}

/** Returns the name of the last handler of a method, which responds: those before it are middleware. */
function handlerOf({ stack = [] }: Route, method: string): string | undefined {
  const last = stack.findLast(
    (layer) => layer.method === undefined || layer.method.toUpperCase() === method || method === '*',
  )
  return typeof last?.handle === 'function' ? last.handle.name : undefined
}

/** Returns the path at which an application is mounted. */
function prefixOf(app: object): string {
  const { parent, mountpath } = app as { readonly parent?: object; readonly mountpath?: unknown }
  return parent === undefined || typeof mountpath !== 'string' ? '' : join(prefixOf(parent), mountpath)
}

/** `app.all` registers every method that Node knows. */
function methodsOf(methods: Readonly<Record<string, boolean>>): readonly string[] {
  const names = Object.keys(methods)
  return names.includes('_all') || names.length > 20 ? ['*'] : names.map((name) => name.toUpperCase())
}

/** Returns the layers of a router or an application. Reading `router` of an Express 4 application throws. */
function stackOf(handler: unknown): readonly Layer[] | undefined {
  if (typeof handler !== 'function') return undefined
  const { stack, _router: router4 } = handler as { readonly stack?: unknown; readonly _router?: { stack?: unknown } }
  if (Array.isArray(stack)) return stack
  if (Array.isArray(router4?.stack)) return router4.stack
  if (!('mountpath' in handler)) return undefined
  if ('lazyrouter' in handler) return []
  return 'router' in handler ? (stackOf(handler.router) ?? []) : []
}

function mountPath({ rawPath, regexp, keys = [], slash }: Layer): string {
  if (slash || regexp?.fast_slash) return ''
  if (typeof rawPath === 'string') return rawPath
  if (regexp === undefined) return ''
  const names = keys.map(({ name }) => name)
  return regexp.source
    .replace(/^\^/, '')
    .replace(/\\\/\?\(\?=\\\/\|\$\)$/, '')
    .replaceAll(/\(\?:\\?\/?\(\[\^\\?\/\]\+\?\)\)|\(\?:\(\[\^\\\/\]\+\?\)\)/g, () => `/:${names.shift() ?? 'value'}`)
    .replaceAll('\\', '')
    .replaceAll('//', '/')
}

function join(above: string, path: string): string {
  const base = above.replace(/\/+$/, '')
  // The root route of a router has the path of the router.
  return path === '/' && base !== '' ? base : `${base}${path.startsWith('/') ? '' : '/'}${path}`
}
