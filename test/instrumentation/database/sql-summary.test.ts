import { expect, it } from 'vitest'
import { sqlOperation, sqlSummary, sqlText } from '../../../src/instrumentation/database/sql/sql-span.ts'

it.each([
  ['select * from users where id = 1', 'SELECT', 'SELECT users'],
  ['INSERT INTO "My Schema".orders VALUES (1)', 'INSERT', 'INSERT "My Schema".orders'],
  ['UPDATE only t SET a = 1', 'UPDATE', 'UPDATE t'],
  ['DELETE FROM t', 'DELETE', 'DELETE t'],
  ['/* secret words */ (SELECT 1)', 'SELECT', 'SELECT'],
  ["'secret' word", 'WORD', 'WORD'],
  ['CREATE TABLE IF NOT EXISTS a.b (c int)', 'CREATE', 'CREATE a.b'],
  ['BEGIN', 'BEGIN', 'BEGIN'],
  ['12', 'QUERY', 'QUERY'],
  ['', 'QUERY', 'QUERY'],
])('%s is summarized: %s, %s', (statement, operation, summary) => {
  expect(sqlOperation(statement, 'postgresql')).toBe(operation)
  expect(sqlSummary(operation, sqlText(statement, 'postgresql'))).toBe(summary)
})
