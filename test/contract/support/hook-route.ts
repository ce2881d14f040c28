import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { HttpError } from 'upkeep'

/** A webhook that stores nothing. */
export function hookRoute(key: string) {
  return async (req: IncomingMessage, res: ServerResponse) => {
    res.setHeader('X-Request-Id', randomUUID()).setHeader('X-Version-Id', '1.4.2+test')
    if (req.url !== `/hooks/${key}`) throw new HttpError(404, 'There is no hook with this key.')
    if (req.method !== 'POST') throw new HttpError(405, 'A hook takes POST.', { headers: { Allow: 'OPTIONS, POST' } })
    if (!/^application\/json(;|$)/.test(req.headers['content-type'] ?? '')) throw new HttpError(415, 'JSON it must be.')
    const message = parse(await buffer(req))
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw new HttpError(400, 'No object.')
    if (!('text' in message) || typeof message.text !== 'string') throw new HttpError(400, 'The text is missing.')
    res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 2 }).end('ok')
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new HttpError(400, 'The body is no JSON.', { cause })
  }
}
