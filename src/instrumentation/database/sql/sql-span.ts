import type { Span } from '../../../tracing/span.ts'
import type { Tracing } from '../../../tracing/tracing.ts'
import type { DatabaseCall } from '../../client-operations.ts'
import { startDatabaseSpan } from '../database-span.ts'
import { type SqlDialect, tokenOf } from './sql-token.ts'

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

/** Maximum length of a redacted statement. */
const maxLength = 4_096

/**
 * Returns a statement without its values: literals become `?`, comments are removed, white space and lists of `?` are
 * collapsed. The text is truncated where the end of a literal is ambiguous, and after 4,096 characters.
 */
export function sqlText(statement: string, dialect: SqlDialect): string {
  let text = ''
  let at = 0
  while (at < statement.length && text.length < maxLength) {
    const { kind, end } = tokenOf(statement, at, dialect)
    if (kind === 'literal') text += '?'
    else if (kind !== 'blank') text += statement.slice(at, end)
    else if (text !== '' && !text.endsWith(' ')) text += ' '
    at = end
  }
  return text
    .slice(0, maxLength)
    .replace(/\( ?\?(?: ?, ?\?)+ ?\)/g, '(?)')
    .replace(/\(\?\)(?: ?, ?\(\?\))+/g, '(?)')
    .replace(/(?<![ ;])[ ;]+$/, '')
}

/** The first word is not searched for in deeper parentheses. */
const maxDepth = 64

const firstWord = /^\p{L}{1,32}$/u
const name = String.raw`(?:"(?:[^"]|"")+"|\x60(?:[^\x60]|\x60\x60)+\x60|\[[^\]]+\]|[\p{L}_@#][\p{L}\p{N}_$#@]*)`
const target = new RegExp(
  String.raw`\b(?:FROM|INTO|JOIN|UPDATE(?: (?:ONLY|IGNORE))?|TABLE(?: IF (?:NOT )?EXISTS)?) (${name}(?:\.${name})*)`,
  'iu',
)

/** Returns the first word of a statement in upper case, such as `SELECT`; `QUERY` without a word. */
export function sqlOperation(statement: string, dialect: SqlDialect): string {
  let at = 0
  for (let count = 0; count < maxDepth && at < statement.length; count++) {
    const { kind, end } = tokenOf(statement, at, dialect)
    const word = kind === 'other' ? statement.slice(at, end) : ''
    if (firstWord.test(word)) return word.toUpperCase()
    at = end
  }
  return 'QUERY'
}

/** Returns a summary such as `SELECT orders`: the operation and the first table in the statement's redacted text. */
export function sqlSummary(operation: string, text: string): string {
  const table = target.exec(text)?.[1]
  return table === undefined ? operation : `${operation} ${table}`.slice(0, 255)
}
