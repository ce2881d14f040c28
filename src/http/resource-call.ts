import { type Duration, durationMilliseconds } from '../base/duration.ts'
import type { Report } from '../base/report.ts'
import { type Authorize, identify, type Principal } from './authorize.ts'
import { queryOf } from './conventions/target.ts'
import type { ManagementRequest } from './message.ts'
import type { Call } from './resource.ts'

interface Identification {
  readonly authorize: Authorize | undefined
  readonly report: Report
}

/** A call that determines its query, caller and signal lazily, when the resource reads them. */
export class ResourceCall implements Call {
  readonly request: ManagementRequest
  readonly variables: readonly string[]
  readonly #principal: Principal | undefined
  readonly #identification: Identification
  #query: URLSearchParams | undefined = undefined
  #abort: AbortController | undefined = undefined

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

  get signal(): AbortSignal {
    return this.#controller().signal
  }

  get extendIdleTimeout(): Call['extendIdleTimeout'] {
    return (duration: Duration) => this.request.extendIdleTimeout?.(durationMilliseconds(duration, 'extendIdleTimeout'))
  }

  /** Aborts the signal although the client is still there. */
  abort(): void {
    this.#controller().abort()
  }

  #controller(): AbortController {
    if (this.#abort === undefined) {
      const controller = new AbortController()
      const { signal } = this.request
      if (signal?.aborted) controller.abort(signal.reason)
      else signal?.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
      this.#abort = controller
    }
    return this.#abort
  }
}
