import type { MaybePromise } from '../../base/maybe-promise.ts'
import { publicError } from '../../http/errors/public-error.ts'
import type { FetchExchange } from './fetch-exchange.ts'
import { recordError } from './observed-request.ts'
import type { ObservedRequest } from './request-record.ts'
import { watchContent } from './watched-content.ts'

/** Handles a request of a fetch server and notifies its observer exactly once when it ends. */
export async function handleFetch(
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
    // Upgraded requests return `undefined`, despite the type.
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
