import { type KafkaAdmin, kafka } from '../../indicators/kafka.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

/** The used part of a connected `Admin` of kafkajs, which shows neither its brokers nor its state. */
interface Admin extends KafkaAdmin {
  readonly events: { readonly DISCONNECT: string }
  on(event: string, listener: () => void): unknown
}

/**
 * Admins of kafkajs, which reconnect. Its producers and consumers have no request that changes nothing, and publish no
 * state: an application that has one of them creates an admin beside it.
 */
export const kafkajsAdmin: ClientKind<Admin> = {
  component: 'kafka',
  isClient: (candidate) =>
    'events' in candidate && hasMethods(candidate, 'describeCluster', 'fetchTopicMetadata', 'on'),
  targetOf: () => ({}),
  stateOf: () => 'open',
  onClose(admin, closed) {
    admin.on(admin.events.DISCONNECT, () => closed(false))
  },
  // The indicator describes the cluster.
  checkOf: (admin) => kafka(admin),
}
