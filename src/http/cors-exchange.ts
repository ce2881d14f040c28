import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import { type CorsOptions, createCorsPolicy } from './conventions/cors.ts'
import { isCrossSite } from './conventions/cross-site.ts'
import { errorResponse } from './error-response.ts'
import { HttpError } from './errors/http-error.ts'
import { exchange, hasExplicitCredential } from './exchange.ts'
import type { ExchangeContext } from './exchange-context.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'

/** The request fields on which the response depends, also for requests that have none of them. */
const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

/**
 * Returns `exchange` with cross-origin resource sharing: responds with 403 to pages of origins that are not listed, and
 * to what listed ones may not do. A preflight request needs no credentials, and is responded to like OPTIONS.
 */
export function createCorsExchange(options: CorsOptions): typeof exchange {
  const decide = createCorsPolicy(options)

  return (request, path, context) => {
    const decision = decide(request)
    switch (decision.kind) {
      case 'allowed': {
        const response = exchange(request, path, { ...context, refuseCrossSite: false })
        return withFields(response, decision.fields)
      }
      case 'refused':
        return refuse(request)
      case 'unrelated':
        return isForeign(request, context) ? refuse(request) : withFields(exchange(request, path, context), {})
    }
  }
}

/** Whether a page of an origin that is not listed requests something. */
function isForeign(request: ManagementRequest, context: ExchangeContext): boolean {
  const { headers } = request
  return headers['origin'] !== undefined && isCrossSite(headers) && !hasExplicitCredential(request, context)
}

function refuse(request: ManagementRequest): MaybePromise<ManagementResponse> {
  return withFields(errorResponse(new HttpError(403, 'Invalid CORS request.'), request), {})
}

/** Responses may be cached by their representations, so that they are copied. */
function withFields(
  response: MaybePromise<ManagementResponse>,
  fields: Readonly<Record<string, string>>,
): MaybePromise<ManagementResponse> {
  return thenNow(response, ({ status, headers, body }) => {
    const { Vary } = headers
    return { status, headers: { ...headers, ...fields, Vary: Vary === undefined ? vary : `${Vary}, ${vary}` }, body }
  })
}
