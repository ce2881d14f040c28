import pg from 'pg'
import { DataSource } from 'typeorm'
import { createManagement } from 'upkeep'
import { sql } from 'upkeep/health'
import { poolMeters, tracedPool } from 'upkeep/instrumentation'

export const management = createManagement({
  health: { indicators: { db: sql({ query: () => db.query('SELECT 1'), database: 'PostgreSQL' }) } },
})

/** Called by TypeORM with `new`. */
function Pool(options: pg.PoolConfig) {
  const pool = new pg.Pool(options)
  poolMeters(management.meters, 'orders', pool)
  return tracedPool(pool)
}
export const db = new DataSource({ type: 'postgres', url: process.env['DATABASE_URL'] ?? '', driver: { ...pg, Pool } })
await db.initialize()
