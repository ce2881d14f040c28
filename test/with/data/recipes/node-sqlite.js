import { DatabaseSync } from 'node:sqlite'
import { createManagement } from 'upkeep'
import { sql } from 'upkeep/health'

export const db = new DatabaseSync(process.env.DATABASE_FILE ?? ':memory:')

export const management = createManagement({
  health: { indicators: { db: sql({ query: () => db.prepare('SELECT 1').get(), database: 'SQLite' }) } },
})
