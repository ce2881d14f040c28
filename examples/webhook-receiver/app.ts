import type { RequestListener } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
import { type Authorize, HttpError, type Management, type Report } from 'upkeep'
import { handleErrors, manage, observe, serve } from 'upkeep/express'
import type { Logger } from 'upkeep/logging'
import type { Database } from './database/database.ts'
import { refuseWhileUnavailable } from './database/refuse-while-unavailable.ts'
import { createHookMeters } from './hooks/hook-meters.ts'
import type { HookResourcesOptions } from './hooks/hook-resources.ts'
import { hooksRouter } from './hooks/hooks-router.ts'
import { createKnownHooks } from './hooks/known-hooks.ts'
import { createReceiving, type ReceivingOptions } from './hooks/receive.ts'
import { redactTarget } from './hooks/redact-keys.ts'
import { createWebhook } from './hooks/webhook.ts'
import { identifyResponses } from './identify-responses.ts'
import { home } from './page/home.ts'
import { protectPages } from './page/protect-pages.ts'
import { showHooks } from './page/show-hooks.ts'
import { createReceiverResources } from './resources.ts'

export interface AppParts {
  readonly database: Database
  readonly management: Management
  readonly settings: ReceivingOptions & Pick<HookResourcesOptions, 'keyOverlapSeconds'>
  /** Whether the tables exist. Until then, requests that need them are refused. */
  readonly isPrepared: () => boolean
  /** Authorizes operators. */
  readonly authorize: Authorize
  readonly versionId: string
  readonly log: Logger
  /** Called with errors whose cause is not sent to the client. */
  readonly report: Report
}

/**
 * Creates the receiver: the webhook for senders, and an Express application with the resources and pages for operators,
 * the management endpoints, and error documents for all other requests.
 */
export function createApp({
  database,
  isPrepared,
  management,
  settings,
  authorize,
  versionId,
  log,
  report,
}: AppParts): RequestListener {
  const query = refuseWhileUnavailable(database.query, isPrepared)
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

  const identify = identifyResponses(versionId)
  const webhook = createWebhook(receive, { management, identify, report })
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.use((request, response, next) => {
    identify(request, response)
    next()
  })
  app.use(observe(management))
  app.use(manage(management))
  app.use(home)
  app.use('/hooks', hooksRouter(receive))
  app.use('/hooks', protectPages)
  app.get('/hooks', showHooks(query, authorize))
  app.use(serve(resources))
  app.use(() => {
    throw new HttpError(404, 'Resource not found.')
  })
  // Express identifies an error handler by its four parameters.
  app.use((error: unknown, request: Request, _response: Response, next: NextFunction) => {
    redactTarget(request)
    next(error)
  })
  app.use(handleErrors({ report }))
  return (request, response) => {
    if (!webhook(request, response)) app(request, response)
  }
}
