import { onlyFirst } from '../../base/callback.ts'
import type { Report } from '../../base/report.ts'
import { errorName } from '../../base/settled-work.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import { unanswered } from '../outcome.ts'
import { noException, RequestTimers } from '../request-timers.ts'
import { uriOf } from '../request-uri.ts'

/** A request that the application made. */
export interface ClientRequest {
  /** The host that was asked, or the name of the service. */
  readonly clientName: string
  /** The template of the path; never the path itself. */
  readonly template?: string | undefined
  readonly method: string
  /** `undefined` when there was no answer. */
  readonly status?: number | undefined
  /** Why there was none. */
  readonly error?: unknown
  readonly seconds: number
}

/** Times the application's own requests in `http.client.requests`. The function that it returns never throws. */
export function createClientRequests(meters: MeterRegistry, report: Report): (request: ClientRequest) => void {
  const failed = onlyFirst((error) => report('http.client.requests could not be recorded', error))
  const byClient = new Map<string, RequestTimers>()
  return ({ clientName, template, method, status = unanswered, error, seconds }) => {
    let own = byClient.get(clientName)
    if (own === undefined) {
      own = new RequestTimers((...tags) => timersOf(meters).with(clientName, ...tags), failed)
      if (byClient.size < mostClients) byClient.set(clientName, own)
    }
    const exception = error === undefined ? noException : errorName(error)
    own.record(uriOf(template, status), method, status, exception, seconds)
  }
}

function timersOf(meters: MeterRegistry) {
  return meters.timers('http.client.requests', ['client.name', 'uri', 'method', 'status', 'outcome', 'exception'], {
    description: 'Requests that the application made',
  })
}

/** So many clients are found without the registry. */
const mostClients = 256
