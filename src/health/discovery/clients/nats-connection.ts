import { type NatsConnection as CheckedConnection, nats } from '../../indicators/nats.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

/** The used part of a `NatsConnection`, which exists once it is connected. */
interface NatsConnection extends CheckedConnection {
  /** Returns the host and the port. */
  getServer(): string
  isClosed(): boolean
  /** Resolves with the reason unless the application has closed it. */
  closed(): Promise<unknown>
}

/** Connections of nats. One that has given up its reconnection is lost. */
export const natsConnection: ClientKind<NatsConnection> = {
  component: 'nats',
  isClient: (candidate) => hasMethods(candidate, 'flush', 'getServer', 'isClosed', 'closed', 'publish'),
  targetOf(connection) {
    const { hostname, port } = new URL(`nats://${connection.getServer()}`)
    return { host: hostname, port: Number(port) || 4_222 }
  },
  stateOf: (connection) => (connection.isClosed() ? 'lost' : 'open'),
  onClose(connection, closed) {
    void connection.closed().then((reason) => closed(reason instanceof Error))
  },
  checkOf: (connection) => nats(connection),
}
