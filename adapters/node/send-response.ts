import type { ServerResponse } from 'node:http'
import type { ManagementResponse, Soon } from '../../src/index.ts'

/** Puts an answer on the wire, at once where it is there already, as `sendResponse` does. */
export function sendWhenReady(res: ServerResponse, answer: Soon<ManagementResponse>): Soon<void> {
  return answer instanceof Promise ? answer.then((response) => send(res, response)) : send(res, answer)
}

/**
 * Puts an answer on the wire; one that somebody else has begun, as a time limit does, stays theirs. A client that leaves
 * ends the making of what streams. Never rejects.
 */
export async function sendResponse(res: ServerResponse, response: ManagementResponse): Promise<void> {
  await send(res, response)
}

function send(res: ServerResponse, { status, headers, body }: ManagementResponse): Soon<void> {
  if (res.headersSent) return
  try {
    res.writeHead(status, headers)
    if (body !== null && typeof body === 'object' && !(body instanceof Uint8Array)) return stream(res, body)
    res.end(body ?? undefined)
  } catch (error) {
    breakOff(res, error)
  }
}

async function stream(res: ServerResponse, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of body) {
      if (res.destroyed) return
      if (!res.write(chunk)) await drained(res)
    }
    res.end()
  } catch (error) {
    breakOff(res, error)
  }
}

function breakOff(res: ServerResponse, error: unknown): void {
  res.destroy(error instanceof Error ? error : new Error(String(error)))
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      res.off('drain', settle).off('close', settle)
      resolve()
    }
    res.on('drain', settle).on('close', settle)
  })
}
