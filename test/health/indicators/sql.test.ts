import { createManagement } from 'upkeep'
import { type SqlOptions, sql } from 'upkeep/health'
import { expect, it, onTestFinished } from 'vitest'

const latency = expect.stringMatching(/^[\d.]+ms$/)

/** Returns the component of an indicator. */
async function healthOf(options: SqlOptions, timeout?: '20ms') {
  const management = createManagement({
    health: {
      showDetails: 'always',
      indicators: { db: { check: sql(options), cache: '0ms', ...(timeout && { timeout }) } },
    },
    metrics: { runtime: false },
    report: () => {},
  })
  onTestFinished(() => management.close())
  const read = async () => (await management.health.check()).components?.['db']
  return { read, first: await read() }
}

it('shows the product and the query that are given', async () => {
  const { first } = await healthOf({ query: async () => [], database: 'PostgreSQL', validationQuery: 'SELECT 1' })
  expect(first).toEqual({ status: 'UP', details: { database: 'PostgreSQL', validationQuery: 'SELECT 1', latency } })
})

it.each<readonly [string, SqlOptions['query']]>([
  ['returns nothing', () => undefined],
  ['returns a row', () => ({ 1: 1, execute: 'a column' })],
  // biome-ignore lint/suspicious/noThenProperty: what query builders return
  ['returns a thenable', () => ({ execute: () => {}, then: (done: (rows: unknown) => void) => done([]) })],
])('is UP if the query %s', async (_, query) => {
  expect((await healthOf({ query })).first).toEqual({ status: 'UP', details: { latency } })
})

it.each<readonly [string, SqlOptions['query'], string]>([
  [
    'throws',
    () => {
      throw new Error('disk I/O error')
    },
    'Error: disk I/O error',
  ],
  ['rejects', async () => Promise.reject(new Error('connect ECONNREFUSED')), 'Error: connect ECONNREFUSED'],
  [
    'rejects with a connection string',
    async () => Promise.reject(new Error('cannot reach postgres://app:hunter2@db:5432/orders')),
    expect.not.stringContaining('hunter2') as unknown as string,
  ],
  [
    'was only built',
    () => ({ execute: async () => [] }),
    'TypeError: sql: query: expected the query to be run, received one to be run by execute()',
  ],
])('is DOWN with the reason if the query %s', async (_, query, error) => {
  const { first } = await healthOf({ query, database: 'SQLite' })
  expect(first).toEqual({ status: 'DOWN', details: { database: 'SQLite', error } })
})

it('sends no second query while one hangs, and recovers when it settles', async () => {
  const signals: AbortSignal[] = []
  let respond = () => {}
  const query = (signal: AbortSignal) => {
    signals.push(signal)
    return signals.length > 1 ? undefined : new Promise<void>((resolve) => (respond = resolve))
  }
  const { read, first } = await healthOf({ query }, '20ms')
  expect(first).toMatchObject({ status: 'DOWN', details: { error: 'TimeoutError: no response within 20 ms' } })
  expect(await read()).toMatchObject({ status: 'DOWN' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  respond()
  await expect.poll(read).toMatchObject({ status: 'UP' })
  expect(signals).toHaveLength(2)
})

it.each([
  [{}, 'sql: query: expected a function, received undefined'],
  [{ query: 'SELECT 1' }, 'sql: query: expected a function, received "SELECT 1"'],
  [{ query: () => {}, database: 5 }, 'sql: database: expected a string, received 5'],
  [
    { query: () => {}, timeout: '1s' },
    'sql: unknown option "timeout"; write it beside the check: { check: sql(…), timeout: "5s" }',
  ],
  [undefined, 'sql: expected an object of options, received undefined'],
])('rejects %o', (options, message) => {
  expect(() => sql(options as never)).toThrow(new TypeError(message))
})
