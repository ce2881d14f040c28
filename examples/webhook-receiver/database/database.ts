import type { HealthCheck, MeterRegistry } from 'upkeep'

/** Runs one statement with its parameters (`$1`, `$2`, …) and returns its rows. */
export type Query = <Row>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>

/** A PostgreSQL database, embedded or not. The same SQL runs on both. */
export interface Database {
  /** A description for people, without credentials. */
  readonly description: string
  /** The environment variable that configures it. */
  readonly variable: 'DATABASE_URL' | 'DATA_DIR'
  readonly health: HealthCheck
  /** Registers meters of its connection pool, if it has one, until it is closed. */
  readonly measure?: (meters: MeterRegistry) => void
  readonly query: Query
  /** Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  close(): Promise<void>
}
