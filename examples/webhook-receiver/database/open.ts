import type { Report } from 'upkeep'
import type { Settings } from '../settings.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

/** Opens the database that the settings name, with its tables up to date. */
export async function openDatabase(
  { dataDir, databaseUrl }: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  report: Report,
): Promise<Database> {
  const database = databaseUrl === undefined ? await openPglite(dataDir) : openPostgres(databaseUrl, report)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
