import type { HealthCheck, MeterRegistry } from 'upkeep'

/** Runs one statement with its parameters (`$1`, `$2`, …) and returns its rows. */
export type Query = <Row>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>

/** What the receiver needs of a PostgreSQL, embedded or not. The same SQL runs on both. */
export interface Database {
  /** What it is, for people; no credentials in it. */
  readonly description: string
  /** The variable of the environment that names it. */
  readonly variable: 'DATABASE_URL' | 'DATA_DIR'
  readonly health: HealthCheck
  /** Measures its connections, where it has a pool of them, until it is closed. */
  readonly measure?: (meters: MeterRegistry) => void
  readonly query: Query
  /** Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  close(): Promise<void>
}
