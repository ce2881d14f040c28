import express, { type Express } from 'express'
import { HttpError, type Management, type Report } from 'upkeep'
import { answerErrors, manage, observe } from 'upkeep/express'
import type { Database } from './database/database.ts'
import { refuseWhileUnavailable } from './database/refuse-while-unavailable.ts'
import { createHookMeters } from './hooks/hook-meters.ts'
import { hooksRouter } from './hooks/hooks-router.ts'
import { createReceiving, type ReceivingOptions } from './hooks/receive.ts'
import { identifyResponses } from './identify-responses.ts'

export interface AppParts {
  readonly database: Database
  readonly management: Management
  readonly settings: ReceivingOptions
  readonly versionId: string
  /** Told of failures that the sender is not. */
  readonly report: Report
}

/** The receiver as an Express application: the hooks, the management endpoints, and error documents for the rest. */
export function createApp({ database, management, settings, versionId, report }: AppParts): Express {
  const query = refuseWhileUnavailable(database.query)
  const receive = createReceiving(query, createHookMeters(management.meters), settings)

  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.use(identifyResponses(versionId))
  app.use(observe(management))
  app.use(manage(management))
  app.use('/hooks', hooksRouter(receive))
  app.use(() => {
    throw new HttpError(404, 'There is nothing at this address.')
  })
  app.use(answerErrors({ report }))
  return app
}
