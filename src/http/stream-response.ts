import type { ExchangeContext } from './exchange-context.ts'
import type { ManagementResponse } from './message.ts'
import type { ResourceCall } from './resource-call.ts'
import { failureMessage, isAbandoned, routedPath } from './respond-to-error.ts'
import { contentResponse, type RenderedRepresentation } from './response.ts'
import { endOnAbort, readFirstChunk, reportFailure } from './streamed-content.ts'

/**
 * Responds with streamed content when its first chunk is available. A failure before that is an error like any other, a
 * later one can only be reported.
 */
export async function streamResponse(
  stream: AsyncIterable<Uint8Array | string>,
  rendered: RenderedRepresentation,
  call: ResourceCall,
  path: string,
  { router, report, clock, draining }: ExchangeContext,
): Promise<ManagementResponse> {
  const { request } = call
  const ending = rendered.representation.isEndless === true ? endless(stream, call, draining) : stream
  const begun = await readFirstChunk(ending, rendered.coding === 'identity', call.signal)
  const content = reportFailure(begun, (error) => {
    if (!isAbandoned(error, request)) report(failureMessage(request, routedPath(request, path, router)), error)
  })
  return contentResponse(request.method, rendered, clock.wallTime(), content)
}

/** Ends the content when the client disconnects or the server drains. */
function endless(
  content: AsyncIterable<Uint8Array | string>,
  call: ResourceCall,
  draining: AbortSignal | undefined,
): AsyncIterable<Uint8Array | string> {
  if (draining === undefined) return endOnAbort(content, call.signal, () => {})
  const end = () => call.abort()
  if (draining.aborted) end()
  const open = openStreams(draining)
  open.add(end)
  return endOnAbort(content, call.signal, () => open.delete(end))
}

/** What ends each open stream, by the signal on which it ends. */
const openByDraining = new WeakMap<AbortSignal, Set<() => void>>()

/** Returns what is called when the signal aborts: the signal has one listener, however many streams are open. */
function openStreams(draining: AbortSignal): Set<() => void> {
  const known = openByDraining.get(draining)
  if (known !== undefined) return known
  const open = new Set<() => void>()
  openByDraining.set(draining, open)
  draining.addEventListener('abort', () => open.forEach((end) => void end()), { once: true })
  return open
}
