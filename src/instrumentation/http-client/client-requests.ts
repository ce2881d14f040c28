import { onlyFirst } from '../../base/callback.ts'
import type { Report } from '../../base/report.ts'
import { errorName } from '../../base/settled-work.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import { noException, unanswered, uriOf } from '../request-tags.ts'
import { RequestTimers } from '../request-timers.ts'

/** An outgoing HTTP request, to be recorded. */
export interface ClientRequest {
  /** Host or service name of the server; the tag `client.name`. */
  readonly clientName: string
  /** Template of the path, such as `/orders/{id}`; never the path itself. */
  readonly template?: string | undefined
  readonly method: string
  /** Status of the response; `undefined` without a response. */
  readonly status?: number | undefined
  /** Why there is no response. */
  readonly error?: unknown
  readonly seconds: number
}

/** Returns a function that records requests in `http.client.requests`. It never throws. */
export function createClientRequests(meters: MeterRegistry, report: Report): (request: ClientRequest) => void {
  const failed = onlyFirst((error) => report('failed to record http.client.requests', error))
  const byClient = new Map<string, RequestTimers>()
  return ({ clientName, template, method, status = unanswered, error, seconds }) => {
    let own = byClient.get(clientName)
    if (own === undefined) {
      own = new RequestTimers((...tags) => timersOf(meters).with(clientName, ...tags), failed)
      if (byClient.size < maxClients) byClient.set(clientName, own)
    }
    const exception = error === undefined ? noException : errorName(error)
    own.record(uriOf(template, status), method, status, exception, seconds)
  }
}

function timersOf(meters: MeterRegistry) {
  return meters.timers('http.client.requests', ['client.name', 'uri', 'method', 'status', 'outcome', 'exception'], {
    description: 'Outgoing HTTP requests',
  })
}

/** Maximum number of clients cached outside the registry. */
const maxClients = 256
