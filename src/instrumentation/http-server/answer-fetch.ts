import type { MaybePromise } from '../../base/maybe-promise.ts'
import { publicError } from '../../http/errors/public-error.ts'
import type { FetchExchange } from './fetch-exchange.ts'
import { recordError } from './observed-request.ts'
import type { ObservedRequest } from './request-record.ts'
import { watchContent } from './watched-content.ts'

/** Answers a request of a fetch server, and tells its observer when that has ended, once. */
export async function answerFetch(
  message: Request,
  exchange: FetchExchange,
  request: ObservedRequest,
  next: () => MaybePromise<Response>,
): Promise<Response> {
  const { signal } = message
  const end = (isWhole: boolean, error?: unknown) => {
    if (request.hasEnded) return
    signal.removeEventListener('abort', leave)
    if (error !== undefined) recordError(message, error)
    exchange.writableFinished = isWhole
    request.observer.end(request, exchange)
  }
  const leave = () => end(false)
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave)
  try {
    const response = await next()
    // What a server has upgraded to another protocol is answered by nothing, whatever the type says.
    if (response === undefined) request.observer.disregard(request)
    if (request.isDisregarded || request.hasEnded) {
      end(true)
      return response
    }
    exchange.respond(response.status, response.headers)
    if (message.method !== 'HEAD') return await watchContent(response, end)
    end(true)
    return response
  } catch (error) {
    exchange.respond(publicError(error).status)
    end(true, error)
    throw error
  }
}
