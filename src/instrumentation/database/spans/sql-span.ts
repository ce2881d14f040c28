import type { Span } from '../../../tracing/span.ts'
import type { Tracing } from '../../../tracing/tracing.ts'
import { sqlOperation, sqlSummary } from '../sql/sql-summary.ts'
import { sqlText } from '../sql/sql-text.ts'
import type { SqlDialect } from '../sql/sql-token.ts'
import { type DatabaseCall, startDatabaseSpan } from './database-span.ts'

/** Beyond so many characters a statement is not read for its span. */
const longestRead = 65_536

/** Begins the span of an SQL statement, whose text is told without literals, and read only where somebody records it. */
export function startSqlSpan(
  tracing: Tracing,
  dialect: SqlDialect,
  statement: string,
  call: Omit<DatabaseCall, 'operation'>,
): Span {
  const read = statement.length > longestRead ? statement.slice(0, longestRead) : statement
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
