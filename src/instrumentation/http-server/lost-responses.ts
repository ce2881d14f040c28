import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting: unique symbol = Symbol('upkeep.waiting')

interface SharedSocket extends Socket {
  [waiting]?: Set<ServerResponse>
}

/**
 * Calls `lost` when the connection ends before a response was closed. A response that waits for its turn, behind others on
 * one connection (RFC 9112 §9.3.2), is forgotten by node:http when that connection ends.
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
