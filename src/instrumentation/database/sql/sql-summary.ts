import { type SqlDialect, tokenOf } from './sql-token.ts'

/** Deeper in a statement its first word is not looked for. */
const maxDepth = 64

const firstWord = /^\p{L}{1,32}$/u
const name = String.raw`(?:"(?:[^"]|"")+"|\x60(?:[^\x60]|\x60\x60)+\x60|\[[^\]]+\]|[\p{L}_@#][\p{L}\p{N}_$#@]*)`
const target = new RegExp(
  String.raw`\b(?:FROM|INTO|JOIN|UPDATE(?: (?:ONLY|IGNORE))?|TABLE(?: IF (?:NOT )?EXISTS)?) (${name}(?:\.${name})*)`,
  'iu',
)

/** The first word of a statement in capitals, such as `SELECT`; what does not begin with a word is a `QUERY`. */
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

/** A statement in few words, `SELECT orders`: what it does, and the first table that its text without literals names. */
export function sqlSummary(operation: string, text: string): string {
  const table = target.exec(text)?.[1]
  return table === undefined ? operation : `${operation} ${table}`.slice(0, 255)
}
