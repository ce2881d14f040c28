import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck, requireClient } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { createSharedRequest } from './shared-request.ts'

/** The used part of a `NatsConnection`. */
export interface NatsConnection {
  flush(): PromiseLike<void>
  /** The server to which the client is connected. */
  readonly info?: { readonly version: string } | undefined
}

/** Options of `nats`. */
export interface NatsOptions {
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** `UP` while the server responds to a `PING` of the client. Details: `server` (product and version), `latency`. */
export function nats(connection: NatsConnection, options: NatsOptions = {}): HealthCheck {
  checkIndicatorOptions('nats', options, ['clock'])
  const { clock = systemClock } = options
  requireClient('nats', connection, 'a NatsConnection', ['flush'])
  const flush = createSharedRequest(async () => await connection.flush(), { clock })
  return createCheck({
    request: async (signal) => {
      await flush(signal)
      return {}
    },
    context: () => (connection.info ? { server: `NATS ${connection.info.version}` } : {}),
    clock,
  })
}
