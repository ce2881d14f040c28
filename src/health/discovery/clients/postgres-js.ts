import { type PostgresSql, postgres } from '../../indicators/postgres.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

/** The used part of a `Sql` of postgres.js. */
interface Sql extends PostgresSql {
  readonly options: {
    readonly host: readonly string[]
    readonly port: readonly number[]
    readonly path?: string | false
    readonly database?: string
    readonly shared: { readonly retries: number }
  }
  /** What the server has reported. */
  readonly parameters: object
}

/** Those that have rejected a query because the application has ended them, which nothing else shows. */
const ended = new WeakSet<object>()

/** Functions of postgres.js, each with a pool of which nothing is known. A query waits in none while a connection can take it. */
export const postgresJs: ClientKind<Sql> = {
  component: 'db',
  isClient: (candidate) =>
    typeof candidate === 'function' && 'parameters' in candidate && hasMethods(candidate, 'unsafe', 'begin', 'reserve'),
  targetOf({ options: { host, port, path, database } }) {
    return path ? { host: path, database } : { host: host[0], port: port[0], database }
  },
  stateOf(sql) {
    if (ended.has(sql)) return 'ended'
    return Object.keys(sql.parameters).length > 0 || sql.options.shared.retries > 0 ? 'open' : 'unused'
  },
  checkOf: (sql) =>
    postgres({
      async unsafe(text) {
        try {
          return await sql.unsafe(text)
        } catch (error) {
          if (error instanceof Error && 'code' in error && error.code === 'CONNECTION_ENDED') ended.add(sql)
          throw error
        }
      },
    }),
}
