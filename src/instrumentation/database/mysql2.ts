import { type DatabaseLibrary, numberIn } from './database-library.ts'
import { startSqlSpan } from './sql/sql-span.ts'
import { createSqlTargetReader } from './sql/sql-target.ts'

/** The message of a statement, since mysql2 3.20. */
interface Statement {
  /** With its values, if made by `query`. */
  readonly query: string
  readonly database?: string
  readonly serverAddress?: string
  readonly serverPort?: number
}

const readTarget = /* @__PURE__ */ createSqlTargetReader('mysql')

/** mysql2, whose statements are prepared or not. */
export const mysql2: DatabaseLibrary<Statement> = {
  channels: ['mysql2:query', 'mysql2:execute'],
  pool: 'mysql2:pool:connect',
  wrapped: { file: 'mysql2/lib/base/connection.js', path: ['prototype', 'query'] },
  callOf: (statement) => ({ ...serverOf(statement), ...readTarget(statement.query) }),
  startSpan: (tracing, statement) => startSqlSpan(tracing, 'mysql', statement.query, serverOf(statement)),
  statusOf: /* @__PURE__ */ numberIn('errno'),
}

function serverOf({ database, serverAddress, serverPort }: Statement) {
  return { system: 'mysql', namespace: database, address: serverAddress, port: serverPort }
}
