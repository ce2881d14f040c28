import pg from 'pg'
import { tracedPool } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { usePostgresDatabase } from '../../support/use-database.ts'

await describeRunningServers([running.postgres], () => {
  const server = usePostgresDatabase()
  const spans = recordSpans()
  const plain = new pg.Pool({ ...server, max: 2 })
  const pool = tracedPool(plain)
  beforeAll(() => plain.query('create table instrument_test (id int primary key, name text)'))
  afterAll(() => pool.end())

  describe('a query of a traced pool', () => {
    it('is a span without its values', async () => {
      const { rows } = await spans.below('work', () => pool.query("select 'zqzq' as a, $1::int as b", [8_675_309]))
      expect(rows).toEqual([{ a: 'zqzq', b: 8_675_309 }])
      expect(spans.tree()).toEqual(['internal work', '  client SELECT'])
      expect(spans.named('SELECT').attributes).toEqual({
        'db.system.name': 'postgresql',
        'db.operation.name': 'SELECT',
        'db.namespace': server.database,
        'db.query.text': 'select ? as a, $1::int as b',
        'db.query.summary': 'SELECT',
        'server.address': '127.0.0.1',
        'server.port': 5432,
      })
    })

    it('is a failed span with the SQLSTATE if the server rejects it', async () => {
      await expect(pool.query('select * from no_such_table')).rejects.toThrow('no_such_table')
      expect(spans.tree()).toEqual(['client SELECT no_such_table !'])
      expect(spans.named('SELECT no_such_table').attributes).toMatchObject({
        'error.type': '42P01',
        'db.response.status_code': '42P01',
      })
    })

    it.each<readonly [string, (done: (error?: Error) => void) => unknown]>([
      ['a callback', (done) => pool.query('select 1', done)],
      ['values and a callback', (done) => pool.query('select $1::int', [1], done)],
      ['options and a callback', (done) => pool.query({ text: 'select $1::int' } as unknown as string, [1], done)],
    ])('with %s runs the callback in the context of its caller', async (_, query) => {
      const works = Array.from({ length: 10 }, (_one, n) =>
        spans.below(
          `work ${n}`,
          (span) =>
            new Promise<void>((resolve, reject) => {
              query((error) => {
                if (error) reject(error)
                expect(spans.activeSpan()?.context.spanId).toBe(span.context.spanId)
                resolve()
              })
            }),
        ),
      )
      await Promise.all(works)
      expect(spans.tree().toSorted()).toEqual(
        works.flatMap((_one, n) => [`internal work ${n}`, '  client SELECT']).toSorted(),
      )
    })

    it("is a child of its caller's span, with many callers of one connection", async () => {
      const works = Array.from({ length: 20 }, (_, n) => spans.below(`work ${n}`, () => pool.query(`select ${n}`)))
      await Promise.all(works)
      expect(spans.tree().toSorted()).toEqual(
        works.flatMap((_, n) => [`internal work ${n}`, '  client SELECT']).toSorted(),
      )
    })

    it('is a span with options, a name and values', async () => {
      await pool.query({ name: 'by-id', text: 'select name from instrument_test where id = $1', values: [1] })
      expect(spans.tree()).toEqual(['client SELECT instrument_test'])
    })

    it('runs its callback in the context of its caller below a non-recording span', async () => {
      const works = Array.from({ length: 10 }, () => {
        const query = (done: () => void) => pool.query('select 1', done)
        return spans.unrecorded(
          (span) =>
            new Promise<void>((resolve) =>
              query(() => {
                expect(spans.activeSpan()?.context.spanId).toBe(span.context.spanId)
                resolve()
              }),
            ),
        )
      })
      await Promise.all(works)
      expect(spans.all()).toEqual([])
    })

    it('is rejected by pg if it has no statement', async () => {
      expect(() => tracedPool(new pg.Client(server)).query(undefined as never)).toThrow(TypeError)
      expect(spans.all()).toEqual([])
    })
  })

  describe('a client of a traced pool', () => {
    it('is traced if obtained by a promise', async () => {
      await spans.below('work', async () => {
        const client = await pool.connect()
        await client.query('begin')
        await client.query("insert into instrument_test values (1, 'zqzq')")
        await client.query('rollback')
        client.release()
      })
      expect(spans.tree()).toEqual([
        'internal work',
        '  client BEGIN',
        '  client INSERT instrument_test',
        '  client ROLLBACK',
      ])
    })

    it('is traced if obtained by a callback, in the context of its caller', async () => {
      await spans.below(
        'work',
        () =>
          new Promise<void>((resolve, reject) => {
            pool.connect((error, client, release) => {
              if (client === undefined) return reject(error)
              void client.query('select 1', () => {
                release()
                resolve()
              })
            })
          }),
      )
      expect(spans.tree()).toEqual(['internal work', '  client SELECT'])
    })
  })

  describe('a traced client', () => {
    it.each<readonly [string, (client: pg.Client) => Promise<unknown>, readonly string[]]>([
      ['a Query with events', (client) => ended(client.query(new pg.Query('select 1'))), ['client SELECT']],
      [
        'a Query that fails',
        (client) => ended(client.query(new pg.Query('select * from no_such_table'))).catch(() => {}),
        ['client SELECT no_such_table !'],
      ],
      [
        'a Query with a callback',
        (client) =>
          new Promise<void>((resolve) => {
            const query = new pg.Query('select 1')
            Object.assign(query, { callback: () => resolve() })
            client.query(query)
          }),
        ['client SELECT'],
      ],
      [
        'options with a callback inside',
        (client) =>
          new Promise<void>((resolve) => {
            client.query({ text: 'select 1', callback: () => resolve() } as never)
          }),
        ['client SELECT'],
      ],
    ])('traces %s', async (_, send, expected) => {
      const client = tracedPool(new pg.Client(server))
      await client.connect()
      await send(client)
      await client.end()
      expect(spans.tree()).toEqual(expected)
    })
  })

  describe('tracedPool', () => {
    it('returns a Pool whose other members are unchanged', async () => {
      expect(pool).toBeInstanceOf(pg.Pool)
      expect(pool.totalCount).toBe(plain.totalCount)
      expect(pool.options).toBe(plain.options)
      expect(pool.on('remove', () => {})).toBe(pool)
      expect(plain.listenerCount('remove')).toBe(1)
      expect(pool.on).toBe(pool.on)
      expect(tracedPool(pool)).toBe(pool)
    })

    it('records the address of the server', async () => {
      const connectionString = `postgres://postgres:zqzq@127.0.0.1:5432/${server.database}`
      const other = tracedPool(new pg.Pool({ connectionString }))
      await other.query('select 1')
      await other.end()
      expect(spans.named('SELECT').attributes).toMatchObject({
        'server.address': '127.0.0.1',
        'server.port': 5432,
        'db.namespace': server.database,
      })
      expect(JSON.stringify(spans.named('SELECT').attributes)).not.toContain('zqzq')
    })

    it('leaves tracing to an instrumentation that has wrapped the query', async () => {
      const query = Object.assign(plain.query.bind(plain), { __wrapped: true })
      const other = tracedPool(Object.assign(Object.create(plain) as pg.Pool, { query }))
      await other.query('select 1')
      expect(spans.all()).toEqual([])
    })

    it('does not handle rejections of the application', async () => {
      const own = process.rawListeners('unhandledRejection')
      process.removeAllListeners('unhandledRejection')
      const seen = new Promise((resolve) => process.once('unhandledRejection', resolve))
      void pool.query('select * from no_such_table')
      expect(await seen).toMatchObject({ code: '42P01' })
      for (const listener of own) process.on('unhandledRejection', listener as () => void)
    })
  })
})

function ended(query: pg.Query): Promise<void> {
  return new Promise((resolve, reject) => {
    query.on('end', () => resolve())
    query.on('error', reject)
  })
}

describe('below a non-recording span', () => {
  const spans = recordSpans()

  it('a query is passed on in the context of its caller, and only timed', async () => {
    const requested: unknown[] = []
    const answer = Promise.resolve({ rows: [] })
    const pool = tracedPool({
      query: (...args: unknown[]) => {
        requested.push(args, spans.activeSpan()?.context.spanId)
        return answer
      },
      connect: () => answer,
    })
    const result = spans.unrecorded((span) => {
      const queried = pool.query('select $1', [1])
      expect(requested).toEqual([['select $1', [1]], span.context.spanId])
      return queried
    })
    expect(await result).toEqual({ rows: [] })
    expect(spans.all()).toEqual([])
  })
})
