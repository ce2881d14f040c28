import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordError, requireKnownOptions } from '../../src/entries/adapter.ts'
import { HttpError, type Report } from '../../src/entries/index.ts'
import { type ExpressRequest, handleErrors as handleInExpress } from '../express.ts'
import { handleErrors as handleInFastify } from '../fastify.ts'
import { describeHttpException } from './http-exception.ts'
import type { ArgumentsHost } from './nest.ts'
import { rawResponse } from './record-exceptions.ts'

/** Options of `ErrorDocumentFilter`. */
export interface ErrorDocumentFilterOptions {
  /** Called with errors of the service itself (5xx). @default console.error; with Fastify the logger of the request */
  readonly report?: Report | undefined
}

/**
 * An exception filter that responds with error documents (RFC 9457): `app.useGlobalFilters(new ErrorDocumentFilter())`,
 * or `{ provide: APP_FILTER, useClass: ErrorDocumentFilter }`. An `HttpException` is sent with its status, message and
 * own members; any other error is a 500 without details. Exceptions outside of HTTP are thrown again.
 */
export class ErrorDocumentFilter {
  readonly #report: Report | undefined

  constructor(options: ErrorDocumentFilterOptions = {}) {
    requireKnownOptions('ErrorDocumentFilter', options, ['report'], { foreignNames: { logger: 'report' } })
    this.#report = options.report
  }

  catch(exception: unknown, host: unknown): void {
    const context = host as ArgumentsHost
    if (context.getType() !== 'http') throw exception
    const http = context.switchToHttp()
    const error = toHttpError(exception)
    const response: ServerResponse | FastifyReply = http.getResponse()
    const options = { report: this.#report }
    if ('raw' in response) handleInFastify(options)(error, http.getRequest<FastifyRequest>(), response)
    else handleInExpress(options)(error, http.getRequest<ExpressRequest>(), response, () => {})
    // The class of the exception, not that of the error it was converted to.
    recordError(rawResponse(response), exception)
  }
}

function toHttpError(exception: unknown): unknown {
  const described = describeHttpException(exception)
  if (described === undefined) return exception
  const { status, detail, members } = described
  return new HttpError(status, detail, { members, cause: exception })
}
