import { type Authorize, createManagement, type Management, type Report } from 'upkeep'
import { diskSpace } from 'upkeep/health'
import type { Logger } from 'upkeep/logging'
import type { Database } from './database/database.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** The receiver's management endpoints. It is ready while its database answers; its disk is for an operator to see. */
export function createReceiverManagement(
  database: Database,
  { dataDir, databaseUrl }: Settings,
  { authorize, log, report }: { readonly authorize: Authorize; readonly log: Logger; readonly report: Report },
): Management {
  const disk = databaseUrl === undefined ? dataDir : '.'
  const management = createManagement({
    application: { name: 'webhook-receiver', version },
    expose: ['health', 'info', 'metrics', 'prometheus', 'loggers', 'console'],
    health: {
      indicators: { db: database.health, diskSpace: diskSpace({ path: disk }) },
      groups: { readiness: { include: ['readinessState', 'db'] } },
      showComponents: 'always',
      showDetails: 'when-authorized',
    },
    authorize,
    loggers: log.loggers,
    tracing: true,
    report,
    audit: (event) => log.info('audit', { audit: event }),
  })
  database.measure?.(management.meters)
  return management
}
