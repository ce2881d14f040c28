import knex from 'knex'
import { createManagement } from 'upkeep'
import { sql } from 'upkeep/health'
import { poolMeters, tracedPool } from 'upkeep/instrumentation'

export const db = knex({ client: 'pg', connection: process.env['DATABASE_URL'] ?? '' })
const connect = db.client.acquireRawConnection.bind(db.client)
db.client.acquireRawConnection = async () => tracedPool(await connect())

export const management = createManagement({
  health: { indicators: { db: sql({ query: () => db.raw('SELECT 1'), database: 'PostgreSQL' }) } },
})
poolMeters(management.meters, 'orders', db)
