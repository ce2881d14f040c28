import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { checkClient } from './check-client.ts'
import { createInquiry } from './inquiry.ts'

/** What is asked of a `NatsConnection`. */
export interface NatsConnection {
  flush(): PromiseLike<void>
  /** Of the server that the client is connected to at the moment. */
  readonly info?: { readonly version: string } | undefined
}

export interface NatsOptions {
  readonly clock?: Clock | undefined
}

/** `UP` while the server answers a `PING` of the client. Details: `server` (product and version), `latency`. */
export function nats(connection: NatsConnection, { clock = systemClock }: NatsOptions = {}): HealthCheck {
  checkClient('nats', connection, 'a NatsConnection', ['flush'])
  const flush = createInquiry(async () => await connection.flush(), { clock })
  return createCheck({
    ask: async (signal) => {
      await flush(signal)
      return {}
    },
    context: () => (connection.info ? { server: `NATS ${connection.info.version}` } : {}),
    clock,
  })
}
