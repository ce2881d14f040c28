import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The active HTTP/1 responses, by connection. */
export class PendingResponses implements Iterable<ServerResponse> {
  readonly #byConnection = new Map<Socket, Set<ServerResponse>>()

  add(connection: Socket, response: ServerResponse): void {
    const known = this.#byConnection.get(connection)
    const responses = known ?? new Set()
    if (known === undefined) {
      this.#byConnection.set(connection, responses)
      // node:http does not close a pipelined response that waits for another one when their connection ends.
      connection.once('close', () => this.#byConnection.delete(connection))
    }
    responses.add(response)
    response.once('close', () => responses.delete(response))
  }

  /** Returns the active responses of a connection, in the order of their requests. */
  of(connection: Socket): readonly ServerResponse[] {
    return [...(this.#byConnection.get(connection) ?? [])]
  }

  *[Symbol.iterator](): Generator<ServerResponse> {
    for (const responses of this.#byConnection.values()) yield* responses
  }
}
