import { createConnection, createPool } from 'mysql2'
import { createPool as createPromisePool } from 'mysql2/promise'
import { createManagement } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { useMariadbDatabase } from '../../support/use-database.ts'

await describeRunningServers([running.mariadb], () => {
  const server = useMariadbDatabase()
  const spans = recordSpans()
  const management = createManagement({ metrics: { runtime: false } })
  const pool = createPromisePool({ ...server, connectionLimit: 2 })
  let stop = () => {}
  beforeAll(async () => {
    await pool.query('create table instrument_test (id int primary key, name varchar(40))')
    stop = instrument(management)
  })
  afterAll(async () => {
    management.close()
    await pool.end()
  })

  describe('a mysql2 statement', () => {
    it('is a span without its values', async () => {
      await spans.below('work', () =>
        pool.query('select * from instrument_test where name = ? and id > ?', ["O'Brien zqzq", 8_675_309]),
      )

      expect(spans.tree()).toEqual(['internal work', '  client SELECT instrument_test'])
      expect(spans.named('SELECT instrument_test').attributes).toEqual({
        'db.system.name': 'mysql',
        'db.operation.name': 'SELECT',
        'db.namespace': server.database,
        'db.query.text': 'select * from instrument_test where name = ? and id > ?',
        'db.query.summary': 'SELECT instrument_test',
        'server.address': '127.0.0.1',
        'server.port': 3306,
      })
    })

    it('is a span if it is prepared', async () => {
      await spans.below('work', () => pool.execute('select name from instrument_test where id = ?', [1]))
      expect(spans.tree()).toEqual(['internal work', '  client SELECT instrument_test'])
    })

    it('is a failed span if the server rejects it', async () => {
      await expect(pool.query('select * from no_such_table')).rejects.toThrow("doesn't exist")
      expect(spans.tree()).toEqual(['client SELECT no_such_table !'])
      expect(spans.named('SELECT no_such_table').attributes).toMatchObject({
        'error.type': '1146',
        'db.response.status_code': '1146',
      })
    })

    it("is a child of its caller's span, with many callers of one connection", async () => {
      const one = createPromisePool({ ...server, connectionLimit: 1 })
      const works = Array.from({ length: 20 }, (_, n) =>
        spans.below(`work ${n}`, async () => {
          await one.query(`select ${n}`)
          await one.query(`select name from instrument_test where id = ${n}`)
        }),
      )
      await Promise.all(works)
      await one.end()
      expect(spans.tree().toSorted()).toEqual(
        works
          .flatMap((_, n) => [`internal work ${n}`, '  client SELECT', '  client SELECT instrument_test'])
          .toSorted(),
      )
      for (const span of spans.all().filter(({ name }) => name.startsWith('work'))) {
        const children = spans.all().filter((one) => one.parentSpanContext?.spanId === span.spanContext().spanId)
        expect(children).toHaveLength(2)
      }
    })

    it('runs its callback in the context of its caller', async () => {
      const callbacks = createPool({ ...server, connectionLimit: 1 })
      const query = (text: string, done: () => void) => callbacks.query(text, done)
      const works = Array.from({ length: 10 }, (_, n) =>
        spans.below(
          `work ${n}`,
          (span) =>
            new Promise<void>((resolve) => {
              query(`select ${n}`, () => {
                expect(spans.activeSpan()?.context.spanId).toBe(span.context.spanId)
                query('select 1 from instrument_test', resolve)
              })
            }),
        ),
      )
      await Promise.all(works)
      callbacks.end()
      expect(spans.tree().filter((line) => line.startsWith('  '))).toHaveLength(20)
    })

    it('is a span if its rows are events', async () => {
      const connection = createConnection(server)
      await spans.below(
        'work',
        () =>
          new Promise<void>((resolve, reject) => {
            connection.query('select 1 as one').on('end', resolve).on('error', reject)
          }),
      )
      connection.destroy()
      expect(spans.tree()).toEqual(['internal work', '  client SELECT'])
    })

    it('is one span for two managements', async () => {
      const other = createManagement({ metrics: { runtime: false } })
      const end = instrument(other, { mysql2: true })
      await pool.query('select 1')
      end()
      await pool.query('select 2')
      other.close()
      expect(spans.tree()).toEqual(['client SELECT', 'client SELECT'])
    })

    it('is not traced if an exporter makes it', async () => {
      await spans.suppressed(() => pool.query('select 1'))
      expect(spans.tree()).toEqual([])
    })

    it('is not traced after the instrumentation is stopped', async () => {
      stop()
      await pool.query('select 1')
      expect(spans.tree()).toEqual([])
      stop = instrument(management, { mysql2: false })
      await pool.query('select 1')
      expect(spans.tree()).toEqual([])
    })
  })
})
