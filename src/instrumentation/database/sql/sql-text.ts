import { type SqlDialect, tokenOf } from './sql-token.ts'

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
