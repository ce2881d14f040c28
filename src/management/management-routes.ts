import { type Authorize, accessOf } from '../http/authorize.ts'
import { allowedMethods } from '../http/conventions/methods.ts'
import type { Endpoint } from './endpoints/endpoint.ts'

/** An endpoint as it is exposed: where it is, and which methods it answers. */
export interface ManagementRoute {
  /** From the root of the server on, such as `/management/health`; a rest of several segments is `{*path}`. */
  readonly path: string
  /** The name of its link on the page at the base path. */
  readonly link: string
  /** Without HEAD and OPTIONS, which go with every other. */
  readonly methods: readonly string[]
  /** Which of them are not there for everybody. */
  readonly authorized: readonly string[]
  /** The authentication scheme of those, such as `bearer`, where it is known. */
  readonly scheme?: string | undefined
}

/** What is exposed below a base path, the page of links included. */
export function managementRoutes(
  endpoints: readonly Endpoint[],
  basePath: string,
  { isPageAuthorized, authorize }: { readonly isPageAuthorized: boolean; readonly authorize?: Authorize | undefined },
): readonly ManagementRoute[] {
  const root = basePath === '/' ? '' : basePath
  const scheme = authorize?.challenge?.split(' ')[0]?.toLowerCase()
  const page = { path: root, link: 'self', methods: ['GET'], authorized: isPageAuthorized ? ['GET'] : [], scheme }
  const exposed = endpoints.flatMap(({ routes }) =>
    routes.map(({ path, link, resource: { access, ...resource } }) => {
      const methods = allowedMethods(resource)
        .split(', ')
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      const authorized = methods.filter((method) => accessOf(access, method) !== 'public')
      return { path: `${root}/${path}`, link, methods, authorized, scheme }
    }),
  )
  return [...(root === '' ? [] : [page]), ...exposed]
}
