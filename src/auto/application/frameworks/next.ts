import type { Framework, ServedRequest } from './framework.ts'

/** Registered by Next.js: the key of what it knows of a request. */
const requestMeta: unique symbol = Symbol.for('NextInternalRequestMeta')

interface RequestMeta {
  /** The page or the route handler that responds; files of `public` and `_next/static` have none. */
  readonly match?: { readonly definition?: { readonly pathname?: unknown } } | null
}

type NextRequest = ServedRequest & { readonly [requestMeta]?: RequestMeta }

/** The page that responds to requests without a route. */
const notFound = '/_not-found'

/** Next.js 15 and 16 on Node.js, as a standalone server or by `next start`. */
export const next: Framework = {
  name: 'next',
  observe: ({ modules }) => ({
    find: () => modules.has('next'),
    routeOf(request: NextRequest) {
      const pathname = request[requestMeta]?.match?.definition?.pathname
      return typeof pathname === 'string' && pathname !== notFound ? pathname : undefined
    },
  }),
}
