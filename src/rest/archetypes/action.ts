import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Principal } from '../../http/authorize.ts'
import type { ManagementRequest } from '../../http/message.ts'
import type { Call } from '../../http/resource.ts'
import { type Variables, variableName } from '../paths/path-template.ts'
import { addressOf, type Site } from './site.ts'

/** One request to a resource, as what answers it sees it. */
export interface Action<Path extends string = string> {
  readonly request: ManagementRequest
  /** The decoded values of the variable segments of the path. */
  readonly variables: Variables<Path>
  readonly query: URLSearchParams
  /** Finds out who is asking; `undefined` for who is not known. */
  readonly identify: () => MaybePromise<Principal | undefined>
  /** The address of a path below the base path, such as `orders/7`, from the root of the host on. */
  readonly addressOf: (path: string) => string
}

export function actionOf<Path extends string>(call: Call, path: Path, site: Site): Action<Path> {
  const { request, query, identify } = call
  const names = path.split('/').flatMap((segment) => variableName(segment) ?? [])
  const variables = Object.fromEntries(names.map((name, at) => [name, call.variables[at] ?? '']))
  return {
    request,
    query,
    identify,
    // The router has found a value for each variable of this very path.
    variables: variables as Variables<Path>,
    addressOf: (below) => addressOf(below, call, site),
  }
}
