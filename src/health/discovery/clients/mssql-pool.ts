import type { EventEmitter } from 'node:events'
import { systemClock } from '../../../base/clock.ts'
import { connectionSession, createSqlCheck } from '../../indicators/sql-check.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

/** The used part of a `ConnectionPool` of mssql, which has a pool of tarn once it is connected, and `null` once closed. */
interface ConnectionPool {
  readonly config: {
    readonly server?: string
    readonly port?: number
    readonly database?: string
    readonly options?: { readonly database?: string }
  }
  readonly connecting: boolean
  readonly pool?: TarnPool | null
  request(): { query(text: string): PromiseLike<{ readonly recordset: readonly unknown[] }> }
}

interface TarnPool extends Pick<EventEmitter, 'on' | 'removeListener'> {
  readonly max: number
  readonly destroyed: boolean
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
}

/** Pools of mssql: that of TypeORM, too. */
export const mssqlPool: ClientKind<ConnectionPool> = {
  component: 'db',
  isClient: (candidate) =>
    'connecting' in candidate && 'config' in candidate && hasMethods(candidate, 'request', 'transaction', 'batch'),
  targetOf: ({ config: { server, port, database, options } }) => ({
    ...{ host: server, port, database: database ?? options?.database },
  }),
  stateOf({ pool, connecting }) {
    if (connecting) return 'open'
    return pool === undefined ? 'unused' : pool === null || pool.destroyed ? 'ended' : 'open'
  },
  pool: {
    figuresOf({ pool }) {
      const [idle = 0, used = 0] = [pool?.numFree(), pool?.numUsed()]
      return { total: idle + used, idle, waiting: pool?.numPendingAcquires() ?? 0, maximum: pool?.max ?? 0 }
    },
    onReturn({ pool }, listener) {
      pool?.on('release', listener)
      return () => void pool?.removeListener('release', listener)
    },
  },
  checkOf: (client) =>
    createSqlCheck({
      session: connectionSession(async (text) => (await client.request().query(text)).recordset, systemClock),
      validationQuery: 'SELECT 1',
      versionQuery: 'SELECT @@VERSION AS version',
      nameProduct,
      clock: systemClock,
    }),
}

/** Returns the name of `Microsoft SQL Server 2022 (RTM-CU17) (KB5048038) - 16.0.4175.1 (X64)…`. */
function nameProduct(version: string): string {
  return version.split(' (')[0] ?? version
}
