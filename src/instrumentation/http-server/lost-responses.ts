import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting: unique symbol = Symbol('upkeep.waiting')

interface SharedSocket extends Socket {
  [waiting]?: Set<ServerResponse>
}

/**
 * Calls `lost` if the connection ends before a response was closed. node:http drops pipelined responses (RFC 9112
 * §9.3.2) without an event when their connection ends.
 */
export function whenLost(socket: SharedSocket, response: ServerResponse, lost: (this: ServerResponse) => void): void {
  const responses = socket[waiting] ?? new Set()
  if (socket[waiting] === undefined) {
    socket[waiting] = responses
    socket.once('close', () => {
      for (const each of responses) lost.call(each)
    })
  }
  responses.add(response)
  response.on('close', () => responses.delete(response))
}
