import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { createManagement } from 'upkeep'
import { sql } from 'upkeep/health'
import { poolMeters, tracedPool, tracedPrisma } from 'upkeep/instrumentation'
import { PrismaClient } from './generated/prisma/client.js'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
const client = new PrismaClient({ adapter: new PrismaPg(tracedPool(pool)) })
export const db = tracedPrisma(client)

export const management = createManagement({
  health: { indicators: { db: sql({ query: () => client.$queryRaw`SELECT 1`, database: 'PostgreSQL' }) } },
})
poolMeters(management.meters, 'orders', pool)
