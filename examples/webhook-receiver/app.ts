import express, { type Express } from 'express'
import { type Authorize, HttpError, type Logger, type Management, type Report } from 'upkeep'
import { answerErrors, manage, observe, serve } from 'upkeep/express'
import type { Database } from './database/database.ts'
import { refuseWhileUnavailable } from './database/refuse-while-unavailable.ts'
import { createHookMeters } from './hooks/hook-meters.ts'
import type { HookResourcesOptions } from './hooks/hook-resources.ts'
import { hooksRouter } from './hooks/hooks-router.ts'
import { createKnownHooks } from './hooks/known-hooks.ts'
import { createReceiving, type ReceivingOptions } from './hooks/receive.ts'
import { identifyResponses } from './identify-responses.ts'
import { protectPages } from './page/protect-pages.ts'
import { createReceiverResources } from './resources.ts'

export interface AppParts {
  readonly database: Database
  readonly management: Management
  readonly settings: ReceivingOptions & Pick<HookResourcesOptions, 'keyOverlapSeconds'>
  /** Lets operators in. */
  readonly authorize: Authorize
  readonly versionId: string
  readonly log: Logger
  /** Told of failures that the sender is not. */
  readonly report: Report
}

/**
 * The receiver as an Express application: what senders post to, what operators work with, the management endpoints, and
 * error documents for the rest.
 */
export function createApp({ database, management, settings, authorize, versionId, log, report }: AppParts): Express {
  const query = refuseWhileUnavailable(database.query)
  const hooks = createKnownHooks(query)
  const receive = createReceiving(query, hooks, createHookMeters(management.meters), log, settings)
  const { keyOverlapSeconds } = settings
  const resources = createReceiverResources(query, {
    authorize,
    management,
    report,
    keyOverlapSeconds,
    onChange: hooks.forget,
  })

  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.use(identifyResponses(versionId))
  app.use(observe(management))
  app.use(manage(management))
  app.use('/hooks', hooksRouter(receive))
  app.use('/hooks', protectPages)
  app.use(serve(resources))
  app.use(() => {
    throw new HttpError(404, 'There is nothing at this address.')
  })
  app.use(answerErrors({ report }))
  return app
}
