import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The HTTP/1 responses that are not closed yet, by connection. */
export class PendingResponses implements Iterable<ServerResponse> {
  readonly #byConnection = new Map<Socket, Set<ServerResponse>>()

  add(connection: Socket, response: ServerResponse): void {
    const known = this.#byConnection.get(connection)
    const responses = known ?? new Set()
    if (known === undefined) {
      this.#byConnection.set(connection, responses)
      // A response that waits behind another one is never closed by node:http when their connection ends.
      connection.once('close', () => this.#byConnection.delete(connection))
    }
    responses.add(response)
    response.once('close', () => responses.delete(response))
  }

  /** Returns those of a connection in the order of their requests. */
  of(connection: Socket): readonly ServerResponse[] {
    return [...(this.#byConnection.get(connection) ?? [])]
  }

  *[Symbol.iterator](): Generator<ServerResponse> {
    for (const responses of this.#byConnection.values()) yield* responses
  }
}
