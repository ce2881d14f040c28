import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { Express } from 'express'
import type { Logger, Management, Report } from 'upkeep'
import { startTelemetry, type Telemetry } from 'upkeep/otlp'
import { createApp } from './app.ts'
import { authorizeOperators } from './authorize-operators.ts'
import { openDatabase } from './database/open.ts'
import { countHooks, createFirstHook, createHook } from './hooks/hooks.ts'
import { createReceiverManagement } from './management.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** A receiver that listens. */
export interface Receiver {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string
  readonly database: string
  readonly hooks: number
  /** The key of the hook that this start created, and that can be told only now. */
  readonly newKey: string | undefined
  readonly server: Server
  readonly management: Management
  /** What sends metrics and traces, where they are sent. */
  readonly telemetry: Telemetry | undefined
  /** Closes the database, when the server is closed. */
  close(): Promise<void>
}

export interface StartOptions {
  /** Whether to create a hook even if there are some. */
  readonly newHook: boolean
  readonly log: Logger
  readonly report: Report
}

export async function startReceiver(settings: Settings, { newHook, log, report }: StartOptions): Promise<Receiver> {
  const database = await openDatabase(settings, report)
  try {
    const created = (await createFirstHook(database)) ?? (newHook ? await createHook(database.query) : undefined)
    const hooks = await countHooks(database.query)
    const authorize = authorizeOperators(settings.managementToken)
    const management = createReceiverManagement(database, settings, { authorize, log, report })
    const { telemetryUrl: url } = settings
    const telemetry = url === undefined ? undefined : await startTelemetry({ management, url, report })
    const versionId = `${version}+${settings.build}`
    const server = await listen(
      createApp({ database, management, settings, authorize, versionId, log, report }),
      settings,
    )
    return {
      url: addressOf(server),
      database: database.description,
      hooks,
      newKey: created?.key,
      server,
      management,
      telemetry,
      close: async () => {
        management.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function listen(app: Express, { port, host }: Settings): Promise<Server> {
  // A request that has not arrived after half a minute is given up.
  const server = createServer({ requestTimeout: 30_000 }, app)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
}
