import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Management, type ManagementRequest, reportToConsole } from '../src/index.ts'
import { type AnswerErrorsOptions, sendError, sendResponse, toManagementRequest } from './node.ts'

/** What upkeep needs of a request of Express 4 and 5. */
export interface ExpressRequest extends IncomingMessage {
  readonly baseUrl: string
  readonly protocol: string
  readonly body?: unknown
}

type Next = (error?: unknown) => void

/** Serves the management endpoints; any other request goes on. */
export function manage(management: Management): (req: ExpressRequest, res: ServerResponse, next: Next) => void {
  return (req, res, next) => {
    const answer = management(fromExpress(req))
    if (answer === undefined) next()
    else void answer.then((response) => sendResponse(res, response))
  }
}

/** Errors thrown anywhere before become error documents. Express asks for it last. */
export function answerErrors({
  report = reportToConsole,
}: AnswerErrorsOptions = {}): (error: unknown, req: ExpressRequest, res: ServerResponse, next: Next) => void {
  // Express knows an error handler by its four parameters.
  return (error, req, res, _next) => sendError(error, fromExpress(req), res, report)
}

function fromExpress(req: ExpressRequest): ManagementRequest {
  return toManagementRequest(req, { protocol: req.protocol, mountPath: req.baseUrl, parsedBody: req.body })
}
