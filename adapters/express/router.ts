/** A path of Express: a string, a regular expression, or a list of them. */
export type ExpressPath = string | RegExp | readonly ExpressPath[]

/** The member of an Express route that the adapter uses. */
export interface ExpressRoute {
  readonly path: ExpressPath
}

/** A middleware, a mounted router or a route in the stack of a router. */
export interface Layer {
  readonly route?: ExpressRoute | undefined
  readonly handle: unknown
  /** The pattern, since router 2.3 (Express 5.3). */
  readonly rawPath?: ExpressPath | undefined
  /** The pattern compiled by Express 4. */
  readonly regexp?: (RegExp & { readonly fast_slash?: boolean; readonly fast_star?: boolean }) | undefined
  /** The parameters of `regexp`; those without a name are numbered. */
  readonly keys?: readonly { readonly name: string | number }[] | undefined
  /** The patterns compiled by Express 5. */
  readonly matchers?: readonly Matcher[] | undefined
  /** Whether it matches every path, in Express 5. */
  readonly slash?: boolean | undefined
}

export type Matcher = (path: string) => false | Match

export interface Match {
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The members of an Express 4 or 5 application that the adapter uses. */
export interface ExpressApplication {
  readonly parent?: ExpressApplication | undefined
  readonly mountpath: ExpressPath
  /** The router of Express 5; Express 4 throws when it is read. */
  readonly router?: unknown
  /** The router of Express 4. */
  readonly _router?: unknown
}

/** Returns the layers of a router or an application; empty for anything else. */
export function layersOf(handler: unknown): readonly Layer[] {
  if (typeof handler !== 'function') return []
  if ('stack' in handler) return Array.isArray(handler.stack) ? handler.stack : []
  if (!isApplication(handler)) return []
  return layersOf('lazyrouter' in handler ? handler._router : handler.router)
}

function isApplication(handler: object): handler is ExpressApplication {
  return 'mountpath' in handler
}

/** Returns the part of a path that a layer matches; `undefined` if it does not match. */
export function matchedPath(layer: Layer, path: string): string | undefined {
  if (layer.regexp?.fast_slash || layer.slash) return ''
  if (layer.regexp?.fast_star) return path
  if (layer.regexp !== undefined) return layer.regexp.exec(path)?.[0]
  for (const matcher of layer.matchers ?? []) {
    const match = matchWith(matcher, path)
    if (match !== undefined) return match.path
  }
  return undefined
}

/** Paths with invalid percent-encoding match nothing. */
export function matchWith(matcher: Matcher, path: string): Match | undefined {
  try {
    return matcher(path) || undefined
  } catch {
    return undefined
  }
}
