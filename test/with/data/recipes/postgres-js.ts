import postgres from 'postgres'
import { createManagement } from 'upkeep'
import { sql } from 'upkeep/health'

export const db = postgres(process.env['DATABASE_URL'] ?? '')

export const management = createManagement({
  health: { indicators: { db: sql({ query: () => db`SELECT 1`, database: 'PostgreSQL' }) } },
})
