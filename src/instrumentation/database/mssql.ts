import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import type { DatabaseCall } from '../client-operations.ts'
import { type DatabaseLibrary, numberIn } from './database-library.ts'
import { startDatabaseSpan } from './database-span.ts'
import { startSqlSpan } from './sql/sql-span.ts'
import { createSqlTargetReader } from './sql/sql-target.ts'

/** The message of a request, since mssql 12.4: one of these. It does not include the server. */
interface Request {
  readonly command?: string
  readonly statement?: string
  readonly procedure?: string
  readonly table?: string
  readonly rowCount?: number
}

/** mssql: requests and prepared statements. */
export const mssql: DatabaseLibrary<Request> = {
  channels: [
    'mssql:query',
    'mssql:batch',
    'mssql:execute',
    'mssql:bulk',
    'mssql:prepared-statement:prepare',
    'mssql:prepared-statement:execute',
  ],
  pool: 'mssql:pool:acquire',
  // OpenTelemetry instruments tedious, the driver of mssql.
  wrapped: { file: 'tedious/lib/connection.js', path: ['default', 'prototype', 'execSql'] },
  callOf,
  startSpan: startRequestSpan,
  statusOf: /* @__PURE__ */ numberIn('number'),
}

const system = 'microsoft.sql_server'
const readTarget = /* @__PURE__ */ createSqlTargetReader('mssql')

function callOf({ command, statement, procedure, table, rowCount }: Request): DatabaseCall {
  const sql = command ?? statement
  if (typeof sql === 'string') return { system, ...readTarget(sql) }
  if (table !== undefined) return { system, operation: 'BULK', collection: table, batchSize: rowCount }
  return { system, operation: 'EXECUTE', procedure }
}

function startRequestSpan(tracing: Tracing, request: Request): Span {
  const sql = request.command ?? request.statement
  if (typeof sql === 'string') return startSqlSpan(tracing, 'mssql', sql, { system })
  const { procedure, ...call } = callOf(request)
  const span = startDatabaseSpan(tracing, call)
  if (procedure !== undefined && span.isRecording) {
    span.rename(`EXECUTE ${procedure}`)
    span.setAttributes({ 'db.stored_procedure.name': procedure })
  }
  return span
}
