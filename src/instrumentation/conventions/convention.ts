import type { ClientRequest } from '../http-client/client-request.ts'
import type { BegunRequestFacts, EndedRequestFacts, ReadProtocol } from '../http-server/request-facts.ts'
import type { MeterTemplate } from './meter-template.ts'

/** How the meters of requests and operations are named: their names, units, tags and buckets. */
export interface Convention {
  readonly httpServer: {
    readonly protocolOf: ReadProtocol
    readonly requests: MeterTemplate<EndedRequestFacts>
    readonly active: ActiveRequestsTemplate
  }
  readonly httpClient: { readonly requests: MeterTemplate<ClientRequest> }
}

/** The requests in progress: a long task timer, or a gauge of their number. */
export interface ActiveRequestsTemplate extends MeterTemplate<BegunRequestFacts> {
  readonly kind: 'longTaskTimer' | 'gauge'
}
