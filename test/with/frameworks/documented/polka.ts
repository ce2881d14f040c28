import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createManagement } from 'upkeep'
import type { ConformanceApplication, StartedApplication } from 'upkeep/contract'
import { listen } from '../../../support/listen.ts'
import { importDocumented } from './import-documented.ts'
import { sendAnswer } from './send-answer.ts'

/** polka has no declarations. */
interface Polka {
  use(handler: unknown): void
  add(method: string, path: string, handler: unknown): void
  handler(req: IncomingMessage, res: ServerResponse): void
}

const { manage, observe, handleErrors } = await importDocumented('polka-upkeep.js')

export async function startPolka(application: ConformanceApplication): Promise<StartedApplication> {
  const { options, prefix, routes, otherwise, report } = application
  const { default: polka } = await import('polka')
  const management = createManagement({ ...options, basePath: `${prefix}/management` })
  const onError = handleErrors({ report: (_message: string, cause: unknown) => report(cause) })
  const onNoMatch = (req: IncomingMessage, res: ServerResponse) => {
    try {
      sendAnswer(req, res, otherwise((req.url ?? '').replace(/\?.*/, '')))
    } catch (error) {
      onError(error, req, res)
    }
  }
  const app: Polka = polka({ onError, onNoMatch })
  app.use(observe(management, app))
  app.use(manage(management))
  for (const { method, path, fields, answer } of routes) {
    const handle = async (req: IncomingMessage, res: ServerResponse, next: (error: unknown) => void) => {
      for (const [name, value] of Object.entries(fields)) res.setHeader(name, value)
      try {
        sendAnswer(req, res, await answer(() => text(req)))
      } catch (error) {
        next(error)
      }
    }
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) app.add(each, path, handle)
  }
  return { ...(await listen((req, res) => app.handler(req, res))), management }
}
