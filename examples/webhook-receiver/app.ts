import express, { type Express } from 'express'
import { HttpError, type Management, type Report } from 'upkeep'
import { answerErrors, manage, observe } from 'upkeep/express'
import type { Database } from './database/database.ts'
import { refuseWhileUnavailable } from './database/refuse-while-unavailable.ts'
import { hooksRouter } from './hooks/hooks-router.ts'
import { identifyResponses } from './identify-responses.ts'

export interface AppParts {
  readonly database: Database
  readonly management: Management
  readonly versionId: string
  /** Told of failures that the sender is not. */
  readonly report: Report
}

/** The receiver as an Express application: the hooks, the management endpoints, and error documents for the rest. */
export function createApp({ database, management, versionId, report }: AppParts): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.use(identifyResponses(versionId))
  app.use(observe(management))
  app.use(manage(management))
  app.use('/hooks', hooksRouter(refuseWhileUnavailable(database.query)))
  app.use(() => {
    throw new HttpError(404, 'There is nothing at this address.')
  })
  app.use(answerErrors({ report }))
  return app
}
