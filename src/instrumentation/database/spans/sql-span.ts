import type { Span } from '../../../tracing/span.ts'
import type { Tracing } from '../../../tracing/tracing.ts'
import type { DatabaseCall } from '../database-operation.ts'
import { sqlOperation, sqlSummary } from '../sql/sql-summary.ts'
import { sqlText } from '../sql/sql-text.ts'
import type { SqlDialect } from '../sql/sql-token.ts'
import { startDatabaseSpan } from './database-span.ts'

/** Longer statements are not parsed. */
const maxParsedLength = 65_536

/**
 * Starts the span of an SQL statement. Its text is recorded without literals, and parsed only if the span is recording.
 */
export function startSqlSpan(
  tracing: Tracing,
  dialect: SqlDialect,
  statement: string,
  call: Omit<DatabaseCall, 'operation'>,
): Span {
  const read = statement.length > maxParsedLength ? statement.slice(0, maxParsedLength) : statement
  const operation = sqlOperation(read, dialect)
  const span = startDatabaseSpan(tracing, { ...call, operation })
  if (span.isRecording) {
    const text = sqlText(read, dialect)
    const summary = sqlSummary(operation, text)
    span.rename(summary)
    span.setAttributes({ 'db.query.text': text, 'db.query.summary': summary })
  }
  return span
}
