import { endOfBlockComment, endOfDollarQuote, endOfLine, endOfNumber, endOfQuoted } from './sql-ends.ts'

/** The SQL dialect, which determines quoting rules. */
export type SqlDialect = 'postgresql' | 'mysql' | 'mssql'

interface SqlToken {
  /** `blank` is white space and comments; `other` is copied unchanged. */
  readonly kind: 'literal' | 'blank' | 'other'
  /** Start of the next token. */
  readonly end: number
}

const blank = /[ \t\n\v\f\r\0]+/y
const name = /[A-Za-z_\u{80}-\u{10ffff}][\w$#\u{80}-\u{10ffff}]*/uy
/** SQL Server reads `£5` as an amount of money. */
const mssqlName = /[\p{L}_][\p{L}\p{N}_$#@]*/uy
/** The same for `$5`. */
const mssqlParameter = /@{1,2}[\p{L}_][\p{L}\p{N}_$#@]*/uy
const parameter = /(?:@{1,2}|:{1,2})[A-Za-z_][\w$]*|\$\d+/uy

/** Prefixes of string literals: E'', B'', X'', N'', _utf8''. */
const prefix = /^(?:[ebxn]|_[a-z0-9]+)$/i

/** Returns the token at a position of a statement. */
export function tokenOf(text: string, at: number, dialect: SqlDialect): SqlToken {
  const blankEnd = endOf(blank, text, at)
  if (blankEnd !== undefined) return { kind: 'blank', end: blankEnd }
  const sign = text.charAt(at)
  if (sign === '-' || sign === '/' || sign === '#') {
    const comment = commentOf(text, at, dialect)
    if (comment !== undefined) return comment
  }
  if (sign === "'") return textOf(text, at, dialect, false)
  if (sign === '"') {
    const kind = dialect === 'postgresql' ? 'other' : 'literal'
    return { kind, end: endOfQuoted(text, at, '"', dialect === 'mysql') }
  }
  if (sign === '`' && dialect === 'mysql') return { kind: 'other', end: endOfQuoted(text, at, '`', false) }
  if (sign === '[' && dialect === 'mssql') return { kind: 'other', end: endOfQuoted(text, at, ']', false) }
  const number = endOfNumber(text, at)
  if (number !== undefined) return { kind: 'literal', end: number }
  const dollars = sign === '$' && dialect === 'postgresql' ? endOfDollarQuote(text, at) : undefined
  if (dollars !== undefined) return { kind: 'literal', end: dollars }
  return wordOf(text, at, dialect)
}

/** Returns a placeholder, name, keyword or single character. */
function wordOf(text: string, at: number, dialect: SqlDialect): SqlToken {
  const placeholder = endOf(dialect === 'mssql' ? mssqlParameter : parameter, text, at)
  if (placeholder !== undefined) return { kind: 'other', end: placeholder }
  const end = endOf(dialect === 'mssql' ? mssqlName : name, text, at)
  if (end === undefined) return { kind: 'other', end: at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) }
  const word = text.slice(at, end)
  const next = text.charAt(end)
  if (next === "'" && prefix.test(word)) return textOf(text, end, dialect, /^e$/i.test(word))
  if (next === '"' && dialect === 'mysql' && prefix.test(word)) {
    return { kind: 'literal', end: endOfQuoted(text, end, '"', true) }
  }
  return { kind: /^(?:true|false)$/i.test(word) ? 'literal' : 'other', end }
}

/**
 * If server settings determine whether a backslash escapes the closing quote, the rest of the statement counts as the
 * literal.
 */
function textOf(text: string, at: number, dialect: SqlDialect, escapes: boolean): SqlToken {
  if (escapes || dialect === 'mysql') return { kind: 'literal', end: endOfQuoted(text, at, "'", true) }
  const end = endOfQuoted(text, at, "'", false)
  return { kind: 'literal', end: text.slice(at, end).includes("\\'") ? text.length : end }
}

function commentOf(text: string, at: number, dialect: SqlDialect): SqlToken | undefined {
  if (text.startsWith('--', at)) {
    // In MySQL `5--3` is an expression.
    const isSum = dialect === 'mysql' && at + 2 < text.length && text.charCodeAt(at + 2) > 0x20
    return isSum ? undefined : { kind: 'blank', end: endOfLine(text, at, dialect === 'postgresql' ? /[\r\n]/g : /\n/g) }
  }
  if (text.charAt(at) === '#' && dialect === 'mysql') return { kind: 'blank', end: endOfLine(text, at, /\n/g) }
  if (!text.startsWith('/*', at)) return undefined
  const end = endOfBlockComment(text, at, dialect !== 'mysql')
  // Whether `/*! … */` is code or a comment depends on the MySQL or MariaDB version, and so where a literal in it ends.
  const isConditional = dialect === 'mysql' && /^\/\*M?!/.test(text.slice(at, at + 4))
  if (isConditional && /['"`#]|--|\/\*/.test(text.slice(at + 2, end))) return { kind: 'literal', end: text.length }
  return { kind: 'blank', end }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
