import type { AppRoute } from './app-route.ts'

/** A layer of Express 4 and 5, as far as it tells its path. */
interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> } | undefined
  readonly handle?: unknown
  /** Express 5.3 and newer. */
  readonly rawPath?: unknown
  /** Express 4. */
  readonly regexp?: (RegExp & { readonly fast_slash?: boolean }) | undefined
  readonly keys?: readonly { readonly name: string | number }[] | undefined
  readonly slash?: boolean | undefined
}

/**
 * The routes of an application or a router of Express, those of what is mounted included; `undefined` for neither. Where
 * a router has forgotten below which path it is mounted (Express 5 before 5.3), that part is left out.
 */
export function expressRoutes(app: object): readonly AppRoute[] | undefined {
  const stack = stackOf(app)
  return stack && [...routesIn(stack, '', new Set([stack]))]
}

function* routesIn(stack: readonly Layer[], above: string, seen: ReadonlySet<unknown>): Generator<AppRoute> {
  for (const layer of stack) {
    if (layer.route !== undefined) {
      for (const path of [layer.route.path].flat(2)) {
        // A regular expression is no path that a rule could be held to.
        if (typeof path !== 'string') continue
        const methods = Object.keys(layer.route.methods).map((method) =>
          method === '_all' ? '*' : method.toUpperCase(),
        )
        for (const method of methods) yield { method, path: join(above, path) }
      }
      continue
    }
    const inner = stackOf(layer.handle)
    if (inner !== undefined && !seen.has(inner)) {
      yield* routesIn(inner, join(above, mountPath(layer)), new Set([...seen, inner]))
    }
  }
}

/** The layers of a router or an application; reading `router` of an application of Express 4 throws. */
function stackOf(handler: unknown): readonly Layer[] | undefined {
  if (typeof handler !== 'function') return undefined
  const { stack, _router: router4 } = handler as { readonly stack?: unknown; readonly _router?: { stack?: unknown } }
  if (Array.isArray(stack)) return stack
  if (Array.isArray(router4?.stack)) return router4.stack
  if (!('mountpath' in handler)) return undefined
  if ('lazyrouter' in handler) return []
  const { router } = handler as unknown as { readonly router?: { readonly stack?: unknown } }
  return Array.isArray(router?.stack) ? router.stack : []
}

function mountPath({ rawPath, regexp, keys = [], slash, handle }: Layer): string {
  if (slash || regexp?.fast_slash) return ''
  if (typeof rawPath === 'string') return rawPath
  if (typeof handle === 'function' && 'mountpath' in handle && typeof handle.mountpath === 'string') {
    return handle.mountpath
  }
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
  // The route at the root of a router is the path of the router itself.
  return path === '/' && base !== '' ? base : `${base}${path.startsWith('/') ? '' : '/'}${path}`
}
