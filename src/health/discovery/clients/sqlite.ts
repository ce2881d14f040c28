import { systemClock } from '../../../base/clock.ts'
import { connectionSession, createSqlCheck } from '../../indicators/sql-check.ts'
import { type ClientKind, hasMethods } from '../client-kind.ts'

/** The used part of a `DatabaseSync` of node:sqlite, or of a `Database` of better-sqlite3. */
interface Database {
  /** Of better-sqlite3; of node:sqlite it is a method. */
  readonly open: unknown
  /** Of node:sqlite, from Node 22.15 on. */
  readonly isOpen?: boolean
  /** The path, of better-sqlite3. */
  readonly name?: unknown
  /** The path, of node:sqlite from Node 22.16 on; `null` in memory. */
  location?(): string | null
  prepare(text: string): { all(): readonly unknown[] }
}

/** Databases of node:sqlite and better-sqlite3, whose queries are synchronous. */
export const sqlite: ClientKind<Database> = {
  component: 'db',
  isClient: (candidate) =>
    hasMethods(candidate, 'prepare', 'exec', 'close') &&
    ('inTransaction' in candidate ? 'memory' in candidate : hasMethods(candidate, 'open', 'createSession')),
  targetOf: (database) => ({
    database: typeof database.name === 'string' ? database.name : (database.location?.() ?? ':memory:'),
  }),
  stateOf: ({ open, isOpen }) => (open === false || isOpen === false ? 'ended' : 'open'),
  checkOf: (database) =>
    createSqlCheck({
      session: connectionSession(async (text) => database.prepare(text).all(), systemClock),
      validationQuery: 'SELECT 1',
      versionQuery: 'SELECT sqlite_version() AS version',
      nameProduct: (version) => `SQLite ${version}`,
      clock: systemClock,
    }),
}
