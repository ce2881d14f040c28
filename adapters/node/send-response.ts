import { OutgoingMessage, type ServerResponse } from 'node:http'
import type { ManagementResponse, StreamedContent } from '../../src/entries/adapter.ts'
import type { MaybePromise } from '../../src/entries/index.ts'

/**
 * Node's own, of HTTP/1.1, taken before anybody could replace it there. A subclass, a proxy, a middleware or a patched prototype
 * may keep chunks and call back early, and that of HTTP/2 cannot be had without loading it.
 */
const { write: ownWrite } = OutgoingMessage.prototype

/** Puts an answer on the wire, at once where it is there already, as `sendResponse` does. */
export function sendWhenReady(res: ServerResponse, answer: MaybePromise<ManagementResponse>): MaybePromise<void> {
  return answer instanceof Promise ? answer.then((response) => send(res, response)) : send(res, answer)
}

/**
 * Puts an answer on the wire; one that somebody else has begun, as a time limit does, stays theirs. A client that leaves
 * ends the making of what streams. Never rejects.
 */
export async function sendResponse(res: ServerResponse, response: ManagementResponse): Promise<void> {
  await send(res, response)
}

function send(res: ServerResponse, { status, headers, body }: ManagementResponse): MaybePromise<void> {
  if (res.headersSent) return
  try {
    res.writeHead(status, headers)
    if (body !== null && typeof body === 'object' && !(body instanceof Uint8Array)) return stream(res, body)
    res.end(body ?? undefined)
  } catch (error) {
    breakOff(res, error)
  }
}

async function stream(res: ServerResponse, body: StreamedContent): Promise<void> {
  // Only what is known to be done with a chunk when it says so is lent memory that is written again.
  const isOwn = res.write === ownWrite
  const send = isOwn ? written : accepted
  try {
    // One that waits behind another on its connection: node:http drops it without a sign when the connection ends.
    if (isOwn && res.socket === null) await new Promise((resolve) => res.once('socket', resolve))
    for await (const chunk of (isOwn && body.borrow?.()) || body) {
      if (res.destroyed) return
      await send(res, chunk)
    }
    res.end()
  } catch (error) {
    breakOff(res, error)
  }
}

function breakOff(res: ServerResponse, error: unknown): void {
  res.destroy(error instanceof Error ? error : new Error(String(error)))
}

/** Resolves when a chunk is in the hands of the system, or never will be: what is written may not change before. */
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

/** Resolves when one more chunk is wanted, or none ever will be. */
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
