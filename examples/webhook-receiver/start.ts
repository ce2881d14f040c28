import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { Management, Report } from 'upkeep'
import type { Logger } from 'upkeep/logging'
import { handleClientErrors } from 'upkeep/node'
import { startTelemetry, type Telemetry } from 'upkeep/otlp'
import { createApp } from './app.ts'
import { authorizeOperators } from './authorize-operators.ts'
import { openDatabase } from './database/open.ts'
import { type Prepared, prepareDatabase } from './database/prepare.ts'
import { createReceiverManagement } from './management.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** A receiver that listens. It accepts messages as soon as its database is available. */
export interface Receiver {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** A description of the database, for people. */
  readonly database: string
  /** Resolves when it accepts messages; with `undefined` if it is closed before. Never rejects. */
  readonly prepared: Promise<Prepared | undefined>
  readonly server: Server
  readonly management: Management
  /** Exports metrics and traces, if configured. */
  readonly telemetry: Telemetry | undefined
  /** Closes the database, after the server is closed. */
  close(): Promise<void>
}

export interface StartOptions {
  /** Whether to create a hook even if there are some. */
  readonly newHook: boolean
  readonly log: Logger
  readonly report: Report
}

/**
 * Starts to listen, and then prepares the database. Until it is prepared the receiver is alive and not ready, however
 * long a PostgreSQL takes to appear.
 */
export async function startReceiver(settings: Settings, { newHook, log, report }: StartOptions): Promise<Receiver> {
  const database = await openDatabase(settings, report)
  try {
    const authorize = authorizeOperators(settings.managementToken)
    const management = createReceiverManagement(database, settings, { authorize, log, report })
    const { telemetryUrl: url } = settings
    const telemetry = url === undefined ? undefined : await startTelemetry({ management, url, report })
    const versionId = `${version}+${settings.build}`
    let isPrepared = false
    const server = await listen(
      createApp({
        database,
        isPrepared: () => isPrepared,
        management,
        settings,
        authorize,
        versionId,
        log,
        report,
      }),
      settings,
    )
    // After it listens: a receiver whose port is in use must not create a hook whose key is never shown.
    const closing = new AbortController()
    const prepared = prepareDatabase(database, { newHook, log, signal: closing.signal }).then((found) => {
      isPrepared = found !== undefined
      return found
    })
    management.availability.addStartupTask(prepared, 'database')
    return {
      url: addressOf(server),
      database: database.description,
      prepared,
      server,
      management,
      telemetry,
      close: async () => {
        closing.abort()
        management.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function listen(app: RequestListener, { port, host }: Settings): Promise<Server> {
  // Requests that have not arrived completely by then are refused.
  const server = createServer({ requestTimeout: 30_000 }, app)
  handleClientErrors(server)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
}
