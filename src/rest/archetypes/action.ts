import { invalidArgument } from '../../base/errors.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Principal } from '../../http/authorize.ts'
import { mountPathOf, rootBelow } from '../../http/conventions/target.ts'
import type { ManagementRequest } from '../../http/message.ts'
import type { Call } from '../../http/resource.ts'
import { type Variables, variableName } from '../paths/path-template.ts'
import type { ResourceSettings } from './resource-definition.ts'

/** The request to a resource, as passed to the functions of its definition. */
export interface Action<Path extends string = string> {
  readonly request: ManagementRequest
  /** Decoded values of the variable segments of the path. */
  readonly variables: Variables<Path>
  readonly query: URLSearchParams
  /** Returns the authenticated principal; `undefined` for an anonymous caller. */
  readonly identify: () => MaybePromise<Principal | undefined>
  /** Returns the absolute path of a path below the base path such as `orders/7`. */
  readonly addressOf: (path: string) => string
}

export function actionOf<Path extends string>(call: Call, path: Path, site: ResourceSettings): Action<Path> {
  const { request, query, identify } = call
  const names = path.split('/').flatMap((segment) => variableName(segment) ?? [])
  const variables = Object.fromEntries(names.map((name, at) => [name, call.variables[at] ?? '']))
  return {
    request,
    query,
    identify,
    // The router provides a value for every variable of this path.
    variables: variables as Variables<Path>,
    addressOf: (below) => addressOf(below, call, site),
  }
}

/**
 * Returns a path below the base path as an absolute path, prefixed with the mount path of the adapter. It has no host,
 * which a proxy may have changed. A path with a leading slash and a URL are returned unchanged.
 *
 * @throws TypeError when the path is not a valid URI reference.
 */
export function addressOf(
  path: string,
  { request }: Pick<Call, 'request'>,
  { basePath }: Pick<ResourceSettings, 'basePath'>,
): string {
  if (!/^[\x21-\x7e]*$/.test(path)) {
    throw invalidArgument(
      `resource path: expected URI characters, received ${JSON.stringify(path)}; use pathTo(template, variables)`,
    )
  }
  if (/^(\/|[a-z][a-z0-9+.-]*:)/i.test(path)) return path
  const mountPath = mountPathOf(request.base)
  return `${mountPath}${rootBelow(mountPath, basePath)}${path === '' ? '' : `/${path}`}` || '/'
}
