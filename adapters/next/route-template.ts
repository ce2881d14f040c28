const meta: unique symbol = Symbol.for('NextInternalRequestMeta')

interface NextRequest {
  readonly [meta]?: { readonly match?: { readonly definition?: { readonly pathname?: unknown } } }
}

/** What Next.js renders in place of a page: these are not routes. */
const errorPages: ReadonlySet<unknown> = new Set(['/_not-found', '/_global-error', '/_error', '/404', '/500'])

/**
 * Returns the template of the route that Next.js 15 or 16 has chosen for a request of node:http, such as
 * `/orders/[id]`. Known when the response ends; `undefined` for static files, unknown paths and requests of other
 * servers. Of a page of the folder `pages/` that throws, Next.js keeps the error page only.
 */
export function nextRouteTemplate(request: object): string | undefined {
  const pathname = (request as NextRequest)[meta]?.match?.definition?.pathname
  return typeof pathname !== 'string' || errorPages.has(pathname) ? undefined : pathname
}
