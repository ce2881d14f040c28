import type { Report } from 'upkeep'
import type { Database } from '../../../../examples/webhook-receiver/database/database.ts'
import { migrate } from '../../../../examples/webhook-receiver/database/migrate.ts'
import { openDatabase } from '../../../../examples/webhook-receiver/database/open.ts'

/** Opens a database with its tables up to date. */
export async function openPrepared(
  settings: Parameters<typeof openDatabase>[0],
  report: Report = () => {},
): Promise<Database> {
  const database = await openDatabase(settings, report)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
