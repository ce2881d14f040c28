import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Shared by duplicate installs of upkeep, of which the first one ends the observation. */
const waiting: unique symbol = Symbol.for('upkeep.waiting')

type Lost = (this: ServerResponse) => void

/** A connection, or one of its responses, with the responses of the connection that were not closed. */
interface Waiting {
  [waiting]?: Map<ServerResponse, Lost>
}

/**
 * Calls `lost` if the connection ends before a response was closed. node:http drops pipelined responses (RFC 9112
 * §9.3.2) without an event when their connection ends.
 */
export function whenLost(socket: Socket & Waiting, response: ServerResponse & Waiting, lost: Lost): void {
  const responses = socket[waiting] ?? new Map()
  if (socket[waiting] === undefined) {
    socket[waiting] = responses
    socket.once('close', () => {
      for (const [each, callback] of responses) callback.call(each)
    })
  }
  responses.set(response, lost)
  response[waiting] = responses
}

/** Called with each of these responses that was closed. */
export function noteClosed(response: ServerResponse & Waiting): void {
  response[waiting]?.delete(response)
}
