import type { Endpoint } from '../endpoints/endpoint.ts'
import { accessOf } from '../http/authorize.ts'
import { allowedMethods } from '../http/conventions/methods.ts'

/** An endpoint as it is exposed: where it is, and which methods it answers. */
export interface ManagementRoute {
  /** From the root of the server on, such as `/management/health`; a rest of several segments is `{*path}`. */
  readonly path: string
  /** The name of its link on the page at the base path. */
  readonly link: string
  /** Without HEAD and OPTIONS, which go with every other. */
  readonly methods: readonly string[]
  /** Whether it is not there for everybody. */
  readonly authorized: boolean
}

/** What is exposed below a base path, the page of links included. */
export function managementRoutes(
  endpoints: readonly Endpoint[],
  basePath: string,
  isPageAuthorized: boolean,
): readonly ManagementRoute[] {
  const root = basePath === '/' ? '' : basePath
  const page = root === '' ? [] : [{ path: root, link: 'self', methods: ['GET'], authorized: isPageAuthorized }]
  const exposed = endpoints.flatMap(({ routes }) =>
    routes.map(({ path, link, resource }) => ({
      path: `${root}/${path}`,
      link,
      methods: allowedMethods(resource)
        .split(', ')
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS'),
      authorized: accessOf(resource.access, 'GET') !== 'public',
    })),
  )
  return [...page, ...exposed]
}
