import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Principal } from '../../http/authorize.ts'
import type { ManagementRequest } from '../../http/message.ts'
import type { Call } from '../../http/resource.ts'
import { type Variables, variableName } from '../paths/path-template.ts'
import { addressOf, type ResourceSettings } from './site.ts'

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
