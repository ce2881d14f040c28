import type { DatabaseOperation } from '../database/database-operation.ts'
import type { ClientRequest } from '../http-client/client-request.ts'
import type { BegunRequestFacts, EndedRequestFacts, ReadProtocol } from '../http-server/request-facts.ts'
import type { MessagingOperation } from '../messaging/messaging-operation.ts'
import type { MeterTemplate } from './meter-template.ts'

/** How the meters of requests and operations are named: their names, units, tags and buckets. */
export interface Convention {
  readonly httpServer: {
    readonly protocolOf: ReadProtocol
    readonly requests: MeterTemplate<EndedRequestFacts>
    readonly active: ActiveRequestsTemplate
  }
  readonly httpClient: { readonly requests: MeterTemplate<ClientRequest> }
  readonly database: { readonly operations: MeterTemplate<DatabaseOperation> }
  readonly messaging: {
    readonly send: MeterTemplate<MessagingOperation>
    readonly process: MeterTemplate<MessagingOperation>
    /** Counters of messages. */
    readonly sent: MeterTemplate<MessagingOperation>
    readonly consumed: MeterTemplate<MessagingOperation>
  }
}

/** The requests in progress: a long task timer, or a gauge of their number. */
export interface ActiveRequestsTemplate extends MeterTemplate<BegunRequestFacts> {
  readonly kind: 'longTaskTimer' | 'gauge'
}
