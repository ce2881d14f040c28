import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Database } from '../../../../examples/webhook-receiver/database/database.ts'
import type { Environment } from '../../../../examples/webhook-receiver/settings.ts'
import { useFreshFolders } from './fresh-folder.ts'
import { openPrepared } from './open-prepared.ts'
import { type ServedApp, serveApp } from './serve-app.ts'

interface AppOptions {
  /** Opens the database. @default PGlite in a folder of its own */
  readonly open?: () => Promise<Database>
  readonly environment?: Environment
}

/** Serves the receiver over a database of its own during the tests, without messages before each of them. */
export function useApp({ open = openFresh(), environment = {} }: AppOptions = {}): () => ServedApp {
  let app: ServedApp
  beforeAll(async () => {
    app = await serveApp(await open(), environment)
  })
  afterEach(() => app.forget())
  afterAll(async () => {
    await app.stop()
    await app.database.close()
  })
  return () => app
}

/** Returns a function that opens PGlite. */
function openFresh(): () => Promise<Database> {
  const freshFolder = useFreshFolders()
  return async () => openPrepared({ dataDir: await freshFolder(), databaseUrl: undefined })
}
