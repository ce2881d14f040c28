import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { deferred } from '../support/deferred.ts'
import { listen } from '../support/listen.ts'

/** What the programs of docs/migrate/ use as their database, until the test is over. */
export interface Database {
  readonly env: { readonly DB_URL: string }
  /** Whether it responds with its version. */
  isUp: boolean
  /** Lets the migration end. */
  readonly migrated: () => void
  /** Lets the query of orders end. */
  readonly answered: () => void
  /** Resolves when orders are queried. */
  readonly queried: Promise<void>
}

/** Queries of orders take `queryMilliseconds`, or end with `answered()`. */
export async function startDatabase({ queryMilliseconds = 0 } = {}): Promise<Database> {
  const [migration, query, queried] = [deferred(), deferred(), deferred()]
  const { port, close } = await listen(async (req, res) => {
    if (req.url === '/migrate') await migration.promise
    if (req.url === '/orders') {
      queried.resolve()
      await (queryMilliseconds > 0 ? setTimeout(queryMilliseconds) : query.promise)
    }
    res.writeHead(database.isUp ? 200 : 503).end(req.url === '/version' ? '17.2' : '[]')
  })
  onTestFinished(close)
  const database = {
    env: { DB_URL: `http://127.0.0.1:${port}` },
    isUp: true,
    migrated: migration.resolve,
    answered: query.resolve,
    queried: queried.promise,
  }
  return database
}
