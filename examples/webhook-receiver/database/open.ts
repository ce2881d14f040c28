import type { Report } from 'upkeep'
import type { Settings } from '../settings.ts'
import type { Database } from './database.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

/** Opens the database that the settings name. A PostgreSQL need not be there yet: nothing is sent to it here. */
export async function openDatabase(
  { dataDir, databaseUrl }: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  report: Report,
): Promise<Database> {
  return databaseUrl === undefined ? openPglite(dataDir) : openPostgres(databaseUrl, report)
}
