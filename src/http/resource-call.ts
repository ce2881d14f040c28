import type { Report } from '../base/report.ts'
import { type Authorize, identify, type Principal } from './authorize.ts'
import { queryOf } from './conventions/target.ts'
import type { ManagementRequest } from './message.ts'
import type { Call } from './resource.ts'

/** How to find out who is calling. */
interface Identification {
  readonly authorize: Authorize | undefined
  readonly report: Report
}

/** A call whose query is read, and whose caller is asked for, by the resource that needs it. */
export class ResourceCall implements Call {
  readonly request: ManagementRequest
  readonly variables: readonly string[]
  readonly #principal: Principal | undefined
  readonly #identification: Identification
  #query: URLSearchParams | undefined

  constructor(
    request: ManagementRequest,
    variables: readonly string[],
    principal: Principal | undefined,
    identification: Identification,
  ) {
    this.request = request
    this.variables = variables
    this.#principal = principal
    this.#identification = identification
  }

  get query(): URLSearchParams {
    this.#query ??= queryOf(this.request.target)
    return this.#query
  }

  get identify(): Call['identify'] {
    const { authorize, report } = this.#identification
    return () => this.#principal ?? identify(this.request, authorize, report)
  }
}
