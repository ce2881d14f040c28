import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { collectGarbage } from './collect-garbage.ts'

/** Counts the responses of a server that cannot be garbage-collected. */
export interface RetainedResponses {
  /** How many responses the server has begun. */
  readonly begun: number
  count(): Promise<number>
}

/** Follows the responses of a server without keeping any. */
export function followRetained(server: Server): RetainedResponses {
  const responses: WeakRef<ServerResponse>[] = []
  server.on('request', (_request, response: ServerResponse) => void responses.push(new WeakRef(response)))
  return {
    get begun() {
      return responses.length
    },
    async count() {
      // A WeakRef holds its target until the turn that created or read it ends.
      await new Promise(setImmediate)
      collectGarbage()
      collectGarbage()
      return responses.filter((response) => response.deref() !== undefined).length
    },
  }
}

/**
 * Sends the same number of pipelined requests over each of several connections, and resets each once all have arrived.
 */
export async function resetPipelines(
  server: Server,
  { connections, targets }: { readonly connections: number; readonly targets: readonly string[] },
): Promise<void> {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  const requests = targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`).join('')
  for (let connection = 0; connection < connections; connection += 1) {
    let missing = targets.length
    let all: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      all = resolve
    })
    const arrive = () => {
      missing -= 1
      if (missing === 0) all()
    }
    server.on('request', arrive)
    const accepted = once(server, 'connection')
    const socket = connect(address.port, '127.0.0.1')
    const [peer] = await accepted
    const closed = new Promise((resolve) => peer.once('close', resolve))
    socket.on('error', () => undefined).write(requests)
    await arrived
    server.off('request', arrive)
    socket.resetAndDestroy()
    await closed
  }
}
