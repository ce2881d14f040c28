import { type Clock, systemClock } from '../../base/clock.ts'
import { failure } from '../../base/errors.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck, type Details, requireClient } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { createSharedRequest } from './shared-request.ts'

/** The used part of a connection of amqplib: a `ChannelModel`, or a recovering one. */
export interface AmqpConnection {
  createChannel(): PromiseLike<AmqpChannel>
}

/** The members of a channel of amqplib that the indicator uses. */
export interface AmqpChannel {
  close(): PromiseLike<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  readonly connection: { readonly serverProperties: { readonly product?: unknown; readonly version?: unknown } }
}

/** Options of `amqp`. */
export interface AmqpOptions {
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while the broker opens a channel on the connection; the channel is closed again. Details: `server` (product and
 * version), `latency`. Connections of amqplib do not reconnect by default: pass a recovering one, or a function that
 * returns the current connection, `undefined` for none.
 */
export function amqp(
  connection: AmqpConnection | (() => AmqpConnection | undefined),
  options: AmqpOptions = {},
): HealthCheck {
  checkIndicatorOptions('amqp', options, ['clock'])
  const { clock = systemClock } = options
  if (typeof connection !== 'function') {
    requireClient('amqp', connection, 'a connection of amqplib or a function that returns it', ['createChannel'])
  }
  const open = createSharedRequest(
    async () => {
      const current = typeof connection === 'function' ? connection() : connection
      if (current === undefined) throw failure('UPKEEP_ECHECK', 'not connected')
      const channel = await current.createChannel()
      const respondedAt = clock.monotonicTime()
      closeChannel(channel)
      return { respondedAt, details: nameServer(channel) }
    },
    { clock },
  )
  return createCheck({ request: open, clock })
}

/** Not awaited: the promise never settles if the connection ends meanwhile. */
function closeChannel(channel: AmqpChannel): void {
  channel.on('error', ignore)
  channel.close().then(ignore, ignore)
}

function ignore(): void {}

function nameServer({ connection }: AmqpChannel): Details {
  const { product, version } = connection.serverProperties
  return product === undefined ? {} : { server: version === undefined ? `${product}` : `${product} ${version}` }
}
