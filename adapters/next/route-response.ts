import type { ServerResponse } from 'node:http'
import type { ManagementResponse } from '../../src/entries/adapter.ts'
import { toResponse } from '../fetch.ts'

/**
 * Next.js does not copy these from the `Response` of a route handler, because they may describe what `fetch` has
 * decoded. Then a compressed scrape would be sent as if it were text.
 */
const framing = ['Content-Length', 'Content-Encoding']

/** Returns a response of the core as that of a route handler, and sets its framing where node:http sends it. */
export function toRouteResponse(received: ManagementResponse, response: ServerResponse | undefined): Response {
  const answer = toResponse(received)
  for (const name of framing) {
    const value = answer.headers.get(name)
    if (value !== null && response?.headersSent === false) response.setHeader(name, value)
  }
  return answer
}
