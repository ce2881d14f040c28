import type { EventEmitter } from 'node:events'
import { type AmqpConnection, amqp } from '../../indicators/amqp.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

/** The used part of a `ChannelModel` of amqplib, which exists once it is connected. */
interface ChannelModel extends AmqpConnection, EventEmitter {
  readonly connection: {
    readonly expectSocketClose?: boolean
    readonly stream?: { readonly remoteAddress?: string; readonly remotePort?: number }
  }
}

/** Connections of amqplib, which do not reconnect by default. */
export const amqplib: ClientKind<ChannelModel> = {
  component: 'rabbit',
  isClient: (candidate) =>
    'connection' in candidate && hasMethods(candidate, 'createChannel', 'createConfirmChannel', 'updateSecret'),
  targetOf: ({ connection: { stream } }) => ({ host: stream?.remoteAddress, port: stream?.remotePort }),
  // A channel cannot be opened from then on.
  stateOf: ({ connection }) => (connection.expectSocketClose ? 'lost' : 'open'),
  onClose(model, closed) {
    model.once('close', (error: unknown) => closed(error !== undefined))
  },
  checkOf: (model) => amqp(model),
}
