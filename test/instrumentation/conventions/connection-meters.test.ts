import { createManagement } from 'upkeep'
import { expect, it, onTestFinished } from 'vitest'
import { seriesTags } from '../../support/timed-operations.ts'

it('the meters of database pools have the names of the semantic conventions', () => {
  const management = createManagement({ conventions: 'opentelemetry', metrics: { runtime: false } })
  onTestFinished(() => management.close())
  const { meters } = management
  const tags = { pool: 'orders' }
  for (const [what, value] of Object.entries({ active: 3, idle: 2, pending: 1, max: 10 })) {
    meters.gauge(`hikaricp.connections.${what}`, tags, () => value)
  }
  meters.gauge('hikaricp.connections', tags, () => 5)
  meters.gauge('jdbc.connections.max', { name: 'orders' }, () => 10)
  meters.counter('hikaricp.connections.timeout', tags).increment()
  for (const timer of ['acquire', 'creation', 'usage']) meters.timer(`hikaricp.connections.${timer}`, tags).record(1)

  const pool = { 'db.client.connection.pool.name': 'orders' }
  const read = [...meters.snapshot()]
    .filter(({ id }) => id.name.startsWith('db.') || /hikari|jdbc/.test(id.name))
    .map((one) => [one.id.name, seriesTags(one), one.kind, one.id.baseUnit])
  expect(read).toEqual([
    ['db.client.connection.count', { ...pool, 'db.client.connection.state': 'used' }, 'gauge', '{connection}'],
    ['db.client.connection.count', { ...pool, 'db.client.connection.state': 'idle' }, 'gauge', '{connection}'],
    ['db.client.connection.create_time', pool, 'timer', 'seconds'],
    ['db.client.connection.limit', pool, 'gauge', '{connection}'],
    ['db.client.connection.pending_requests', pool, 'gauge', '{request}'],
    ['db.client.connection.timeouts', pool, 'counter', '{timeout}'],
    ['db.client.connection.use_time', pool, 'timer', 'seconds'],
    ['db.client.connection.wait_time', pool, 'timer', 'seconds'],
  ])
})
