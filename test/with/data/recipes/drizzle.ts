import { sql as statement } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { createManagement } from 'upkeep'
import { sql } from 'upkeep/health'
import { poolMeters, tracedPool } from 'upkeep/instrumentation'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
pool.on('error', () => {}) // an idle connection was lost: without a listener, the process would end
export const db = drizzle(tracedPool(pool))

export const management = createManagement({
  health: { indicators: { db: sql({ query: () => db.execute(statement`SELECT 1`), database: 'PostgreSQL' }) } },
})
poolMeters(management.meters, 'orders', pool)
