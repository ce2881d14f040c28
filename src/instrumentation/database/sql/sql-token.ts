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

const backslash = 0x5c

/**
 * Returns the end of a quoted string, after its closing quote. Quotes are escaped by doubling, and by a backslash if
 * `escapes` is set.
 */
function endOfQuoted(text: string, start: number, close: string, escapes: boolean): number {
  const closing = close.charCodeAt(0)
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (escapes && code === backslash) at++
    else if (code === closing) {
      if (text.charCodeAt(at + 1) !== closing) return at + 1
      at++
    }
  }
  return text.length
}

/** Returns the end of a line, using a global pattern. */
function endOfLine(text: string, start: number, pattern: RegExp): number {
  pattern.lastIndex = start
  return pattern.exec(text)?.index ?? text.length
}

function endOfBlockComment(text: string, start: number, isNested: boolean): number {
  let depth = 1
  for (let at = start + 2; at < text.length; at++) {
    if (text.startsWith('*/', at)) {
      at++
      depth--
      if (depth === 0) return at + 1
    } else if (isNested && text.startsWith('/*', at)) {
      at++
      depth++
    }
  }
  return text.length
}

const dollarTag = /\$(?:[A-Za-z_\u{80}-\u{10ffff}][\w\u{80}-\u{10ffff}]*)?\$/uy

/** Returns the end of `$tag$ … $tag$`, or `undefined` if the position is not the start of one. */
function endOfDollarQuote(text: string, start: number): number | undefined {
  dollarTag.lastIndex = start
  const tag = dollarTag.exec(text)?.[0]
  if (tag === undefined) return undefined
  const close = text.indexOf(tag, start + tag.length)
  return close === -1 ? text.length : close + tag.length
}

const number = /(?:\d|\.\d)(?:[eE][+-]?\d|[\p{L}\p{N}_.])*/uy

/** Returns the end of a number: integer, decimal, exponent or other base, with trailing word characters. */
function endOfNumber(text: string, start: number): number | undefined {
  number.lastIndex = start
  return number.test(text) ? number.lastIndex : undefined
}
