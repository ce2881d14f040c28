import type { MaybePromise } from '../base/maybe-promise.ts'
import { formatContentRange, selectRange } from './conventions/ranges.ts'
import { HttpError } from './errors/http-error.ts'
import type { ExchangeContext } from './exchange-context.ts'
import type { ManagementResponse } from './message.ts'
import type { RangedContent } from './representation.ts'
import type { ResourceCall } from './resource-call.ts'
import { contentResponse, type RenderedRepresentation } from './response.ts'
import { streamResponse } from './stream-response.ts'

/**
 * Responds with all bytes of ranged content, or with 206 and those that the request selects.
 *
 * @throws HttpError 416 with the size if it selects none (RFC 9110 §15.5.17).
 */
export function respondWithRange(
  content: RangedContent,
  rendered: RenderedRepresentation,
  call: ResourceCall,
  path: string,
  context: ExchangeContext,
): MaybePromise<ManagementResponse> {
  const { size } = content
  const { representation, entityTag } = rendered
  const { method, headers } = call.request
  const now = context.clock.wallTime()
  const state = { size, entityTag, lastModified: representation.lastModified, now }
  // A part of an error, or of the result of a change, is not what the client asks for.
  const isWhole = (representation.status ?? 200) !== 200
  const range = isWhole ? 'whole' : selectRange(method, headers, state)
  if (range === 'unsatisfiable') {
    const fields = { 'Content-Range': formatContentRange(range, size) }
    throw new HttpError(416, `Range not satisfiable; the size is ${size} bytes.`, { headers: fields })
  }
  const { first, last } = range === 'whole' ? { first: 0, last: size - 1 } : range
  const partial: RenderedRepresentation = {
    ...rendered,
    representation: {
      ...representation,
      ...(range !== 'whole' && { status: 206 }),
      headers: {
        ...representation.headers,
        'Accept-Ranges': 'bytes',
        'Content-Length': String(last - first + 1),
        ...(range !== 'whole' && { 'Content-Range': formatContentRange(range, size) }),
      },
    },
  }
  if (method === 'HEAD') return contentResponse(method, partial, now)
  const stream = size === 0 ? nothing() : content.read(first, last)
  return streamResponse(stream, partial, call, path, context)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
