import { OutgoingMessage, type ServerResponse } from 'node:http'
import type { ManagementResponse, StreamedContent } from '../../src/entries/adapter.ts'
import type { MaybePromise } from '../../src/entries/index.ts'

/**
 * Node's own method for HTTP/1.1, read before it can be replaced. That of a subclass, a proxy, a middleware or a
 * patched prototype may retain chunks and call back early; that of HTTP/2 is not available without loading it.
 */
const { write: ownWrite } = OutgoingMessage.prototype

/** Sends a response as `sendResponse` does: synchronously if it is available, otherwise when the promise resolves. */
export function sendWhenReady(res: ServerResponse, response: MaybePromise<ManagementResponse>): MaybePromise<void> {
  return response instanceof Promise ? response.then((ready) => send(res, ready)) : send(res, response)
}

/**
 * Sends a response, unless another one has begun, such as that of a timeout. Streamed content ends when the client
 * disconnects. Never rejects.
 */
export async function sendResponse(res: ServerResponse, response: ManagementResponse): Promise<void> {
  await send(res, response)
}

function send(res: ServerResponse, { status, headers, body }: ManagementResponse): MaybePromise<void> {
  const content = body !== null && typeof body === 'object' && !(body instanceof Uint8Array) ? body : undefined
  if (res.headersSent) {
    // It may keep a file open.
    content?.[Symbol.asyncIterator]()
      .return?.()
      .catch(() => {})
    return
  }
  try {
    res.writeHead(status, headers)
    if (content !== undefined) return stream(res, content)
    res.end(body ?? undefined)
  } catch (error) {
    destroy(res, error)
  }
}

async function stream(res: ServerResponse, body: StreamedContent): Promise<void> {
  // Memory is only reused where the callback of `write` is known to mean that the chunk was sent.
  const isOwn = res.write === ownWrite
  const send = isOwn ? written : accepted
  try {
    // A response that is queued behind another on its connection: node:http drops it silently when the connection ends.
    if (isOwn && res.socket === null) await new Promise((resolve) => res.once('socket', resolve))
    for await (const chunk of (isOwn && body.borrow?.()) || body) {
      if (res.destroyed) return
      await send(res, chunk)
    }
    res.end()
  } catch (error) {
    destroy(res, error)
  }
}

function destroy(res: ServerResponse, error: unknown): void {
  res.destroy(error instanceof Error ? error : new Error(String(error)))
}

/** Resolves when the system has taken a chunk, or the response is closed: until then the memory must not change. */
function written(res: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      res.off('close', settle)
      resolve()
    }
    res.on('close', settle)
    res.write(chunk, settle)
  })
}

/** Resolves when the response accepts another chunk, or is closed. */
function accepted(res: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      res.off('drain', settle).off('close', settle)
      resolve()
    }
    if (res.write(chunk)) resolve()
    else res.on('drain', settle).on('close', settle)
  })
}
