import { tracingChannel } from 'node:diagnostics_channel'
import mssql from 'mssql'
import { createManagement } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordSpans } from '../../support/record-spans.ts'

describe('an mssql request', () => {
  const spans = recordSpans()
  const management = createManagement({ metrics: { runtime: false } })
  beforeAll(() => {
    instrument(management)
  })
  afterAll(() => management.close())

  // There is no server of its kind to be had here: the client itself refuses, by its own channels.
  it('is a span without its values, which fails with the request', async () => {
    const pool = new mssql.ConnectionPool({ server: '127.0.0.1', port: 1, user: 'x', password: 'zqzq' })
    const pending = spans.below('work', () =>
      pool.request().query("select * from [Orders] where name = N'zqzq' and id = 7"),
    )
    await expect(pending).rejects.toThrow()
    expect(spans.tree()).toEqual(['internal work', '  client SELECT [Orders] !'])
    expect(spans.named('SELECT [Orders]').attributes).toEqual({
      'db.system.name': 'microsoft.sql_server',
      'db.operation.name': 'SELECT',
      'db.query.text': 'select * from [Orders] where name = ? and id = ?',
      'db.query.summary': 'SELECT [Orders]',
      'error.type': 'ECONNCLOSED',
    })
  })

  it('runs its callback in the context of its caller', async () => {
    const pool = new mssql.ConnectionPool({ server: '127.0.0.1', port: 1, user: 'x', password: 'x' })
    await spans.below(
      'work',
      (span) =>
        new Promise<void>((resolve) => {
          pool.request().batch('select 1', () => {
            expect(spans.activeSpan()?.context.spanId).toBe(span.context.spanId)
            resolve()
          })
        }),
    )
    expect(spans.tree()).toEqual(['internal work', '  client SELECT !'])
  })

  it('is named after a stored procedure', async () => {
    const pool = new mssql.ConnectionPool({ server: '127.0.0.1', port: 1, user: 'x', password: 'x' })
    await expect(pool.request().execute('place_order')).rejects.toThrow()
    expect(spans.tree()).toEqual(['client EXECUTE place_order !'])
    expect(spans.named('EXECUTE place_order').attributes).toMatchObject({ 'db.stored_procedure.name': 'place_order' })
  })

  it.each([
    ['mssql:bulk', { table: 'orders', rowCount: 3 }, 'client BULK orders'],
    ['mssql:prepared-statement:execute', { statement: 'delete from orders where id = @id' }, 'client DELETE orders'],
  ])('is a span if it is reported by %s, and keeps its result', async (name, message, expected) => {
    await tracingChannel(name).tracePromise(async () => {}, message)
    expect(spans.tree()).toEqual([expected])
  })

  it('is a failed span with the error number', async () => {
    const refused = Object.assign(new Error('no such table'), { code: 'EREQUEST', number: 208 })
    const pending = tracingChannel('mssql:query').tracePromise(() => Promise.reject(refused), { command: 'select 1' })
    await expect(pending).rejects.toBe(refused)
    expect(spans.named('SELECT').attributes).toMatchObject({ 'db.response.status_code': '208', 'error.type': '208' })
  })
})
