import { type SqlDialect, tokenOf } from './sql-token.ts'

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
