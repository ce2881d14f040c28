import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { keepContext, traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { combineUnsubscribes, type TraceLibrary } from '../trace-library.ts'
import type { DatabaseCall } from './database-operation.ts'
import { startDatabaseSpan } from './spans/database-span.ts'
import { startSqlSpan } from './spans/sql-span.ts'
import { numberIn } from './spans/status-code.ts'
import { createSqlTargetReader } from './sql/sql-target.ts'
import { type TimeLibrary, timeChannel } from './time-channel.ts'

/** The message of a request, since mssql 12.4: one of these. It does not include the server. */
interface Request {
  readonly command?: string
  readonly statement?: string
  readonly procedure?: string
  readonly table?: string
  readonly rowCount?: number
}

const channels = [
  'mssql:query',
  'mssql:batch',
  'mssql:execute',
  'mssql:bulk',
  'mssql:prepared-statement:prepare',
  'mssql:prepared-statement:execute',
]

const system = 'microsoft.sql_server'
const statusOf = /* @__PURE__ */ numberIn('number')
const readTarget = /* @__PURE__ */ createSqlTargetReader('mssql')

/** Times mssql requests and prepared statements. */
export const timeMssql: TimeLibrary = (timing, safely) =>
  combineUnsubscribes(channels.map((channel) => timeChannel<Request>(channel, timing, safely, callOf, statusOf)))

function callOf({ command, statement, procedure, table, rowCount }: Request): DatabaseCall {
  const sql = command ?? statement
  if (typeof sql === 'string') return { system, ...readTarget(sql) }
  if (table !== undefined) return { system, operation: 'BULK', collection: table, batchSize: rowCount }
  return { system, operation: 'EXECUTE', procedure }
}

/** Traces mssql requests and prepared statements. */
export const traceMssql: TraceLibrary = (tracing, safely) => {
  // OpenTelemetry instruments tedious, the driver of mssql.
  const isTracedElsewhere = createOfficialCheck({
    file: 'tedious/lib/connection.js',
    path: ['default', 'prototype', 'execSql'],
  })
  const requests = channels.map((channel) =>
    traceChannel<Request>(
      channel,
      tracing,
      safely,
      (message) => (isTracedElsewhere() ? undefined : startRequestSpan(tracing, message)),
      statusOf,
    ),
  )
  return combineUnsubscribes([...requests, keepContext('mssql:pool:acquire', tracing, safely)])
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
