import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSqlTargetReader, parseSqlTarget } from '../../../src/instrumentation/database/sql/sql-target.ts'
import type { SqlDialect } from '../../../src/instrumentation/database/sql/sql-token.ts'

describe('parseSqlTarget', () => {
  it.each<[SqlDialect, string, string, string | undefined]>([
    ['postgresql', 'select * from users where id = 1', 'SELECT', 'users'],
    ['postgresql', 'INSERT INTO "My Schema".orders (a) VALUES (1)', 'INSERT', 'My Schema.orders'],
    ['postgresql', 'UPDATE only t SET a = 1', 'UPDATE', 't'],
    ['postgresql', 'DELETE FROM t', 'DELETE', 't'],
    ['postgresql', '/* from secret */ (SELECT 1)', 'SELECT', undefined],
    ['postgresql', "select 'from secret' from t", 'SELECT', 't'],
    ['postgresql', 'select * from generate_series(1, 3) join orders on true', 'SELECT', 'orders'],
    ['postgresql', 'select * from (select * from inner_table) as a', 'SELECT', 'inner_table'],
    ['postgresql', 'with a as (select * from b) select * from a', 'WITH', 'b'],
    ['postgresql', 'CREATE TABLE IF NOT EXISTS a.b (c int)', 'CREATE', 'a.b'],
    ['mysql', 'insert into `orders` values (1)', 'INSERT', 'orders'],
    ['mysql', 'update low_priority `a`.`b` set c = 1', 'UPDATE', 'a.b'],
    ['mssql', 'select * from [dbo].[Orders]', 'SELECT', 'dbo.Orders'],
    ['postgresql', 'BEGIN', 'BEGIN', undefined],
    ['postgresql', 'select 1 from', 'SELECT', undefined],
    ['postgresql', '12', 'QUERY', undefined],
    ['postgresql', '', 'QUERY', undefined],
  ])('of %s %j is %s %s', (dialect, statement, operation, collection) => {
    expect(parseSqlTarget(statement, dialect)).toEqual({ operation, collection })
  })

  it('returns short names for any text, without the values of literals', () => {
    const statement = fc.array(
      fc.constantFrom(
        'select',
        'from',
        'join',
        '(',
        ')',
        '.',
        ',',
        "'secret'",
        '"a"',
        '`',
        '[',
        'orders',
        ' ',
        '--',
        '/*',
        '1',
      ),
    )
    fc.assert(
      fc.property(statement, fc.constantFrom<SqlDialect>('postgresql', 'mysql', 'mssql'), (parts, dialect) => {
        const text = parts.join(' ')
        // Within these quotes it is the name of a table.
        fc.pre(!/[`[][^`\]]*'secret'/.test(text))
        const { operation, collection = '' } = parseSqlTarget(text, dialect)
        expect(operation).toMatch(/^\p{L}{1,32}$/u)
        expect(collection).not.toContain('secret')
        expect(collection.length).toBeLessThanOrEqual(255)
      }),
    )
  })

  it('does not read beyond a number of tokens', () => {
    expect(parseSqlTarget(`select ${'a, '.repeat(10_000)} b from orders`, 'postgresql')).toEqual({
      operation: 'SELECT',
      collection: undefined,
    })
  })
})

it('createSqlTargetReader returns the same object for a repeated statement, and forgets old ones', () => {
  const read = createSqlTargetReader('postgresql')
  const first = read('select 1 from a')
  expect(read('select 1 from a')).toBe(first)
  for (let n = 0; n < 1_000; n++) read(`select ${n} from a`)
  expect(read('select 1 from a')).toEqual(first)
})
