import { type MongodbClient, mongodb } from '../../indicators/mongodb.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

/** The used part of a `MongoClient`. */
interface MongoClient extends MongodbClient {
  readonly topology?: object
  readonly s: { readonly hasBeenClosed?: boolean }
  readonly options: {
    readonly hosts?: readonly { readonly host?: string; readonly port?: number }[]
    readonly srvHost?: string
    readonly dbName?: string
  }
}

/** Clients of mongodb, also that of Mongoose. */
export const mongoClient: ClientKind<MongoClient> = {
  component: 'mongo',
  isClient: (candidate) => 's' in candidate && hasMethods(candidate, 'db', 'startSession', 'connect'),
  targetOf({ options: { hosts: [first] = [], srvHost, dbName } }) {
    return { ...(srvHost ? { host: srvHost } : { host: first?.host, port: first?.port }), database: dbName }
  },
  // It has a topology from `connect()` or its first operation on.
  stateOf: ({ topology, s }) => (s.hasBeenClosed ? 'ended' : topology === undefined ? 'unused' : 'open'),
  checkOf: (client) => mongodb(client),
}
