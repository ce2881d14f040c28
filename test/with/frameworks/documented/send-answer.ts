import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RouteAnswer } from 'upkeep/contract'

/** Sends the answer of a route as a framework on node:http does. */
export function sendAnswer(req: IncomingMessage, res: ServerResponse, { status, fields, body }: RouteAnswer): void {
  res.writeHead(status, fields)
  if (typeof body === 'string') res.end(body)
  else if (req.method === 'HEAD') res.end()
  // A client that disconnects is not an error.
  else void pipeline(Readable.from(body), res).catch(() => undefined)
}
