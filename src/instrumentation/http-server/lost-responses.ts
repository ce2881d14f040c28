import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting: unique symbol = Symbol('upkeep.waiting')

type Lost = (this: ServerResponse) => void

interface SharedSocket extends Socket {
  [waiting]?: Map<ServerResponse, Lost>
}

/**
 * Calls `lost` if the connection ends before a response was closed. node:http drops pipelined responses (RFC 9112
 * §9.3.2) without an event when their connection ends.
 */
export function whenLost(socket: SharedSocket, response: ServerResponse, lost: Lost): void {
  const responses = socket[waiting] ?? new Map()
  if (socket[waiting] === undefined) {
    socket[waiting] = responses
    socket.once('close', () => {
      for (const [each, callback] of responses) callback.call(each)
    })
  }
  responses.set(response, lost)
  response.on('close', () => responses.delete(response))
}
