import { type SqlDialect, tokenOf } from './sql-token.ts'

/** What a statement does, and to which table. */
interface SqlTarget {
  /** The first word in upper case, such as `SELECT`; `QUERY` without a word. */
  readonly operation: string
  /** The first table that is named, without its quotes, such as `sales.orders`. */
  readonly collection: string | undefined
}

/** Later tokens and characters are not read. */
const maxTokens = 512
const maxLength = 16_384
const maxNameLength = 255

const word = /^\p{L}{1,32}$/u
const name = /^(?:".*"|`.*`|\[.*\]|[\p{L}_@#][\p{L}\p{N}_$#@]*)$/su
/** The words before a table. After the first two, a parenthesis makes the name that of a function. */
const sources = new Set(['FROM', 'JOIN'])
const targets = new Set([...sources, 'INTO', 'UPDATE', 'TABLE'])
const modifiers = new Set(['ONLY', 'IGNORE', 'IF', 'NOT', 'EXISTS', 'LOW_PRIORITY'])

/** Returns the operation and the first table of a statement. Takes linear time, and reads a limited part of it. */
export function parseSqlTarget(statement: string, dialect: SqlDialect): SqlTarget {
  const tokens = new Tokens(statement.slice(0, maxLength), dialect)
  let operation: string | undefined
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (!word.test(token)) continue
    const keyword = token.toUpperCase()
    operation ??= keyword
    if (!targets.has(keyword)) continue
    const collection = readName(tokens)
    const isFunction = sources.has(keyword) && tokens.latest === '('
    if (collection !== undefined && !isFunction) return { operation, collection }
  }
  return { operation: operation ?? 'QUERY', collection: undefined }
}

/** Reads a name such as `"sales".orders`, and the token after it. */
function readName(tokens: Tokens): string | undefined {
  let token = tokens.next()
  while (token !== undefined && modifiers.has(token.toUpperCase())) token = tokens.next()
  const parts: string[] = []
  while (token !== undefined && name.test(token)) {
    parts.push(/^["`[]/.test(token) ? token.slice(1, -1) : token)
    if (tokens.next() !== '.') break
    token = tokens.next()
  }
  return parts.length === 0 ? undefined : parts.join('.').slice(0, maxNameLength)
}

/** The tokens of a statement that are neither literals nor blank. */
class Tokens {
  /** The token that was read last. */
  latest: string | undefined = undefined
  readonly #statement: string
  readonly #dialect: SqlDialect
  #at = 0
  #count = 0

  constructor(statement: string, dialect: SqlDialect) {
    this.#statement = statement
    this.#dialect = dialect
  }

  next(): string | undefined {
    this.latest = undefined
    while (this.#at < this.#statement.length && this.#count < maxTokens) {
      const start = this.#at
      const { kind, end } = tokenOf(this.#statement, start, this.#dialect)
      this.#at = end
      this.#count += 1
      if (kind === 'blank') continue
      this.latest = kind === 'literal' ? '?' : this.#statement.slice(start, end)
      break
    }
    return this.latest
  }
}

/** Statements of applications repeat. */
const maxCached = 512
const maxCachedLength = 2_048

/** Returns a function like `parseSqlTarget` that caches its results. */
export function createSqlTargetReader(dialect: SqlDialect): (statement: string) => SqlTarget {
  const cached = new Map<string, SqlTarget>()
  return (statement) => {
    const known = cached.get(statement)
    if (known !== undefined) return known
    const target = parseSqlTarget(statement, dialect)
    if (statement.length > maxCachedLength) return target
    if (cached.size >= maxCached) cached.clear()
    cached.set(statement, target)
    return target
  }
}
