import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { createApp } from '../../../../examples/webhook-receiver/app.ts'
import { authorizeOperators } from '../../../../examples/webhook-receiver/authorize-operators.ts'
import type { Database } from '../../../../examples/webhook-receiver/database/database.ts'
import { createHook } from '../../../../examples/webhook-receiver/hooks/hooks.ts'
import { createReceiverLog } from '../../../../examples/webhook-receiver/log.ts'
import { createReceiverManagement } from '../../../../examples/webhook-receiver/management.ts'
import { type Environment, readSettings } from '../../../../examples/webhook-receiver/settings.ts'

export interface ServedApp {
  readonly origin: string
  readonly key: string
  /** The hook of the key. */
  readonly hookId: string
  readonly database: Database
  /** The messages reported to the log. */
  readonly reports: string[]
  /** The lines of the log, reports not included. */
  readonly records: string[]
  /** Returns every stored text, oldest first. */
  texts(): Promise<readonly string[]>
  /** Returns the number of open connections. */
  connections(): Promise<number>
  /** Removes every message. */
  forget(): Promise<void>
  stop(): Promise<void>
}

/** Serves the receiver's application over a socket, with one hook. */
export async function serveApp(database: Database, environment: Environment = {}): Promise<ServedApp> {
  const reports: string[] = []
  const report = (message: string) => void reports.push(message)
  const settings = readSettings({
    DATA_DIR: '.',
    MANAGEMENT_TOKEN: 'a-token',
    MESSAGES_PER_MINUTE: '0',
    ...environment,
  })
  const records: string[] = []
  const log = createReceiverLog({ logFormat: 'json', logLevel: 'DEBUG' }, (line) => void records.push(line))
  const authorize = authorizeOperators(settings.managementToken)
  const management = createReceiverManagement(database, settings, { authorize, log, report })

  const versionId = '1.2.3+test'
  const server = createServer(
    createApp({ database, isPrepared: () => true, management, settings, authorize, versionId, log, report }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { id: hookId, key } = await createHook(database.query)
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    hookId,
    database,
    reports,
    records,
    texts: async () => {
      // As bytes: PGlite strips a leading byte order mark from strings that it reads.
      const rows = await database.query<{ text: Uint8Array }>(
        `select convert_to(text, 'UTF8') as text from messages order by received_at, id`,
      )
      return rows.map(({ text }) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(text))
    },
    connections: promisify(server.getConnections.bind(server)),
    forget: async () => {
      await database.query('delete from messages')
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
