import { type SqlDialect, tokenOf } from './sql-token.ts'

/** What is told of a statement is no longer than this. */
const longest = 4_096

/**
 * The text of a statement without what is in it: every literal becomes `?`, comments go, white space becomes one space,
 * and lists of `?` become one. Where it cannot be told for sure where a text literal ends, the rest of the
 * statement is left out, as is what is beyond 4,096 characters.
 */
export function sqlText(statement: string, dialect: SqlDialect): string {
  let text = ''
  let at = 0
  while (at < statement.length && text.length < longest) {
    const { kind, end } = tokenOf(statement, at, dialect)
    if (kind === 'literal') text += '?'
    else if (kind !== 'blank') text += statement.slice(at, end)
    else if (text !== '' && !text.endsWith(' ')) text += ' '
    at = end
  }
  return text
    .slice(0, longest)
    .replace(/\( ?\?(?: ?, ?\?)+ ?\)/g, '(?)')
    .replace(/\(\?\)(?: ?, ?\(\?\))+/g, '(?)')
    .replace(/(?<![ ;])[ ;]+$/, '')
}
