import { Kysely, PostgresDialect, sql as statement } from 'kysely'
import pg from 'pg'
import { createManagement } from 'upkeep'
import { sql } from 'upkeep/health'
import { poolMeters, tracedPool } from 'upkeep/instrumentation'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
pool.on('error', () => {}) // an idle connection was lost: without a listener, the process would end
export const db = new Kysely({ dialect: new PostgresDialect({ pool: tracedPool(pool) }) })

export const management = createManagement({
  health: { indicators: { db: sql({ query: () => statement`SELECT 1`.execute(db), database: 'PostgreSQL' }) } },
})
poolMeters(management.meters, 'orders', pool)
