import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const signals = new WeakMap<ServerResponse, AbortSignal>()

/** Returns the signal of a response; it aborts when the client disconnects before the response has been sent. */
export function disconnectSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const signal = signals.get(response) ?? createSignal(request, response)
  signals.set(response, signal)
  return signal
}

function createSignal({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const disconnected = new AbortController()
  const end = () => {
    response.off('close', end)
    if (socket !== undefined) queuedOn.get(socket)?.delete(end)
    if (!response.writableFinished) disconnected.abort()
  }
  if (response.closed || socket?.destroyed) end()
  else {
    response.on('close', end)
    // node:http does not close a response that is queued behind others on a connection when that connection ends.
    if (response.socket === null) onConnectionEnd(socket, end)
  }
  return disconnected.signal
}

const queuedOn = new WeakMap<Socket, Set<() => void>>()

/** Adds one listener per connection, because a client may send any number of requests before it reads a response. */
function onConnectionEnd(socket: Socket, end: () => void): void {
  const ends = queuedOn.get(socket) ?? new Set()
  if (!queuedOn.has(socket)) {
    queuedOn.set(socket, ends)
    socket.once('close', () => {
      for (const each of ends) each()
    })
  }
  ends.add(end)
}

/**
 * Raises the idle limit of a connection until the response is closed; a limit that is longer, or none, is not changed.
 */
export function extendIdleTimeout(
  { socket }: IncomingMessage,
  response: ServerResponse | undefined,
  milliseconds: number,
): void {
  const { timeout: limit = 0 } = socket ?? {}
  if (limit === 0 || limit >= milliseconds) return
  socket.setTimeout(milliseconds)
  // With keep-alive node:http sets its own limit when the response is finished.
  response?.once('close', () => {
    if (socket.timeout === milliseconds) socket.setTimeout(limit)
  })
}
