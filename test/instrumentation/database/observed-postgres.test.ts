import { EventEmitter } from 'node:events'
import { createManagement } from 'upkeep'
import { tracedPool } from 'upkeep/instrumentation'
import { afterAll, expect, it } from 'vitest'
import { keepPoolCallers, observePostgresClients } from '../../../src/instrumentation/database/traced-postgres.ts'

class Client extends EventEmitter {
  async query(_statement: string) {
    return { rows: [] }
  }
  async connect() {}
}

class Pool extends EventEmitter {
  readonly Client = Client
  async connect() {
    return new Client()
  }
  async query(statement: string) {
    return (await this.connect()).query(statement)
  }
}

const management = createManagement({ metrics: { runtime: false } })
const timed = () =>
  [...management.meters.snapshot('db.client.operation.duration')].reduce(
    (sum, one) => sum + (one.kind === 'timer' ? one.count : 0),
    0,
  )
afterAll(() => management.close())

it('observes each query once, also of earlier clients, of pools, and of pools that are traced', async () => {
  const before = tracedPool(new Client())
  for (let count = 0; count < 2; count++) {
    observePostgresClients(Client)
    keepPoolCallers(Pool)
  }
  const pool = tracedPool(new Pool())
  for (const client of [new Client(), before, new Pool(), pool, await pool.connect()]) await client.query('select 1')
  expect(timed()).toBe(5)
})
