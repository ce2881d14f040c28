import type { Report } from '../report.ts'
import type { Soon } from '../soon.ts'
import { type Authorize, identify, type Principal } from './authorize.ts'
import { queryOf } from './conventions/target.ts'
import type { ManagementRequest } from './message.ts'
import type { Call } from './resource.ts'

/** Who is known already, and how to find out who is not. */
export interface Identification {
  readonly principal: Principal | undefined
  readonly authorize: Authorize | undefined
  readonly report: Report
}

/** A call whose query is read, and whose caller is asked for, by the resource that needs it. */
export class ResourceCall implements Call {
  readonly request: ManagementRequest
  readonly variables: readonly string[]
  readonly #identification: Identification
  #query: URLSearchParams | undefined

  constructor(request: ManagementRequest, variables: readonly string[], identification: Identification) {
    this.request = request
    this.variables = variables
    this.#identification = identification
  }

  get query(): URLSearchParams {
    this.#query ??= queryOf(this.request.target)
    return this.#query
  }

  readonly identify = (): Soon<Principal | undefined> => {
    const { principal, authorize, report } = this.#identification
    return principal ?? identify(this.request, authorize, report)
  }
}
