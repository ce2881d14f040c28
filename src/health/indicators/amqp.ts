import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck, type Details } from './check.ts'
import { checkClient } from './check-client.ts'
import { createInquiry } from './inquiry.ts'

/** What is asked of a connection of amqplib: a `ChannelModel`, or one that recovers. */
export interface AmqpConnection {
  createChannel(): PromiseLike<AmqpChannel>
}

export interface AmqpChannel {
  close(): PromiseLike<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  readonly connection: { readonly serverProperties: { readonly product?: unknown; readonly version?: unknown } }
}

export interface AmqpOptions {
  readonly clock?: Clock | undefined
}

/**
 * `UP` while the broker opens a channel on the connection, which is closed again. Details: `server` (product and
 * version), `latency`. A connection of amqplib does not come back by itself unless it is told to: give one that recovers,
 * or a function that answers the connection of the moment, `undefined` for none.
 */
export function amqp(
  connection: AmqpConnection | (() => AmqpConnection | undefined),
  { clock = systemClock }: AmqpOptions = {},
): HealthCheck {
  if (typeof connection !== 'function') {
    checkClient('amqp', connection, 'a connection of amqplib or a function that returns it', ['createChannel'])
  }
  const open = createInquiry(
    async () => {
      const current = typeof connection === 'function' ? connection() : connection
      if (current === undefined) {
        throw new Error('there is no connection')
      }
      const channel = await current.createChannel()
      const answeredAt = clock.monotonicTime()
      closeChannel(channel)
      return { answeredAt, details: nameServer(channel) }
    },
    { clock },
  )
  return createCheck({ ask: open, clock })
}

/** Not waited for: the promise never settles when the connection ends meanwhile. */
function closeChannel(channel: AmqpChannel): void {
  channel.on('error', ignore)
  channel.close().then(ignore, ignore)
}

function ignore(): void {}

function nameServer({ connection }: AmqpChannel): Details {
  const { product, version } = connection.serverProperties
  return product === undefined ? {} : { server: version === undefined ? `${product}` : `${product} ${version}` }
}
