import type { Report } from 'upkeep'
import type { Settings } from '../settings.ts'
import type { Database } from './database.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

/** Opens the configured database. A PostgreSQL server does not have to be available yet: nothing is sent to it here. */
export async function openDatabase(
  { dataDir, databaseUrl }: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  report: Report,
): Promise<Database> {
  return databaseUrl === undefined ? openPglite(dataDir) : openPostgres(databaseUrl, report)
}
