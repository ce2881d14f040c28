import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqlText } from '../../../src/instrumentation/database/sql/sql-span.ts'
import type { SqlDialect } from '../../../src/instrumentation/database/sql/sql-token.ts'

const dialects = ['postgresql', 'mysql', 'mssql'] as const

describe('sqlText', () => {
  it.each<readonly [SqlDialect | 'all', string, string]>([
    ['all', "SELECT * FROM users WHERE name = 'Bob' AND age > 42", 'SELECT * FROM users WHERE name = ? AND age > ?'],
    ['all', "SELECT 'it''s', N'x', B'01', X'ff', -1.5e+10, .5, 0xBEEF, 1_000", 'SELECT ?, ?, ?, ?, -?, ?, ?, ?'],
    [
      'all',
      'SELECT a1, t2.b3 FROM t2 WHERE ok = TRUE AND no is false',
      'SELECT a1, t2.b3 FROM t2 WHERE ok = ? AND no is ?',
    ],
    ['all', 'SELECT * FROM t WHERE id IN (1, 2,3 , 4)', 'SELECT * FROM t WHERE id IN (?)'],
    ['all', "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y');", 'INSERT INTO t (a, b) VALUES (?)'],
    ['all', '  SELECT\n\t1 /* secret */ -- more\n + 2 ;\n', 'SELECT ? + ?'],
    ['all', "SELECT 'never closed", 'SELECT ?'],
    ['all', 'SELECT 1 /* never closed', 'SELECT ?'],
    ['all', '', ''],
    [
      'postgresql',
      'SELECT "Name" FROM "My Table" WHERE id = $1 AND b = $2::int4',
      'SELECT "Name" FROM "My Table" WHERE id = $1 AND b = $2::int4',
    ],
    ['postgresql', "SELECT $$secret's$$, $tag$ $$ 1 $tag$, a$b$c FROM t", 'SELECT ?, ?, a$b$c FROM t'],
    ['postgresql', "SELECT E'it\\'s', e'\\\\', U&'\\0041'", 'SELECT ?, ?, U&?'],
    ['postgresql', 'SELECT 1 /* a /* nested */ secret */ + 2', 'SELECT ? + ?'],
    ['postgresql', "SELECT 'C:\\', secret, 'x'", 'SELECT ?'],
    ['postgresql', 'SELECT 1 -- a\rFROM t', 'SELECT ? FROM t'],
    ['postgresql', "SELECT 1 # 2, @ -5, a->>'b', arr[1:2]", 'SELECT ? # ?, @ -?, a->>?, arr[?:?]'],
    ['postgresql', "SELECT €$$, 'x $$ secret'", 'SELECT €$$, ?'],
    ['mysql', "SELECT \"O'Brien\", 'it\\'s', `a``b`, _utf8mb4'x' # end", 'SELECT ?, ?, `a``b`, ?'],
    ['mysql', "SELECT 5--3, 'a\nsecret'", 'SELECT ?--?, ?'],
    ['mysql', 'SELECT /*!40001 SQL_NO_CACHE */ * FROM t', 'SELECT * FROM t'],
    ['mysql', "SELECT /*!99999 it's */ 1, 'secret'", 'SELECT ?'],
    ['mysql', 'SELECT 1 -- a\rsecret\n+ 2', 'SELECT ? + ?'],
    ['mysql', 'SELECT @user, ?, :name', 'SELECT @user, ?, :name'],
    ['mssql', 'SELECT [a]]b], "secret", @p1, $5, £7, #temp.x', 'SELECT [a]]b], ?, @p1, $?, £?, #temp.x'],
  ])('of %s: %s', (dialect, statement, expected) => {
    for (const each of dialect === 'all' ? dialects : [dialect]) expect(sqlText(statement, each)).toBe(expected)
  })

  it('is at most 4,096 characters long', () => {
    expect(sqlText(`SELECT ${'abcdefgh, '.repeat(10_000)}1`, 'mysql')).toHaveLength(4_096)
  })
})

/** A word that nothing else is made of. */
const secret = 'zqzq'
const digits = '8675309'

const texts = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      "'",
      '"',
      '`',
      '\\',
      '-',
      '--',
      '/*',
      '*/',
      '#',
      '$',
      '$$',
      '\n',
      '\r',
      ';',
      'é',
      '😀',
      '(',
      '[',
    ),
  )
  .map((parts) => [...parts.slice(0, 3), secret, ...parts.slice(3), secret].join(''))
const numbers = fc.constantFrom(
  digits,
  `${digits}.${digits}`,
  `.${digits}`,
  `${digits}e-${digits}`,
  `0x${digits}`,
  `1_${digits}`,
)

const doubled = (text: string, quote: string) => text.replaceAll(quote, quote + quote)

const literals: Readonly<Record<SqlDialect, fc.Arbitrary<string>>> = {
  postgresql: fc.oneof(
    numbers,
    texts.map((text) => `'${doubled(text, "'")}'`),
    texts.map((text) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`),
    texts.map((text) => `$q_1$${text.replaceAll('$q_1$', '')}$q_1$`),
    texts.map((text) => `$$${text.replaceAll('$', '')}$$`),
  ),
  mysql: fc.oneof(
    numbers,
    texts.map((text) => `'${doubled(text.replaceAll('\\', '\\\\'), "'")}'`),
    texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`),
  ),
  mssql: fc.oneof(
    numbers,
    texts.map((text) => `N'${doubled(text, "'")}'`),
    texts.map((text) => `'${doubled(text, "'")}'`),
  ),
}

const comments = fc.oneof(
  texts.map((text) => `/* ${text.replaceAll('/', '').replaceAll('*', '')} */`),
  texts.map((text) => `-- ${text.replaceAll('\n', '').replaceAll('\r', '')}\n`),
)
const plain: Readonly<Record<SqlDialect, fc.Arbitrary<string>>> = {
  postgresql: fc.constantFrom('SELECT', 'a1', '"odd ""\' name"', '$1', ':: int', '->>', '- ', '(', ')', ',', '=', '/ '),
  mysql: fc.constantFrom('SELECT', 'a1', '`odd \' "``name`', '?', '@x', '- ', '(', ')', ',', '=', '/ '),
  mssql: fc.constantFrom('SELECT', 'a1', "[odd ' ]]name]", '@p1', '- ', '(', ')', ',', '=', '/ '),
}

describe.each(dialects)('sqlText of a %s statement', (dialect) => {
  const statements = fc
    .array(fc.oneof(plain[dialect], literals[dialect], comments), { maxLength: 20 })
    .map((parts) => parts.join(' '))

  it('contains no literal and no comment', () => {
    fc.assert(
      fc.property(statements, (statement) => {
        const text = sqlText(statement, dialect)
        return !text.includes(secret) && !text.includes(digits)
      }),
      { numRuns: 3_000 },
    )
  })

  it('is unchanged when applied to its result', () => {
    fc.assert(
      fc.property(statements, (statement) => {
        const text = sqlText(statement, dialect)
        expect(sqlText(text, dialect)).toBe(text)
      }),
    )
  })

  it('contains all names unless a literal is ambiguous', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(plain[dialect], numbers)), (parts) => {
        const text = sqlText([...parts, 'the_end'].join(' '), dialect)
        expect(text.endsWith('the_end')).toBe(true)
        expect(text.match(/a1/g) ?? []).toHaveLength(parts.filter((part) => part === 'a1').length)
      }),
    )
  })
})

it('arbitrary strings are read to the end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...dialects), (text, dialect) => {
      expect(typeof sqlText(text, dialect)).toBe('string')
    }),
  )
})
