import type { IncomingMessage, ServerResponse } from 'node:http'

/** Returns a signal that aborts when the client disconnects before the response has been sent. */
export function disconnectSignal({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const disconnected = new AbortController()
  const end = () => {
    response.off('close', end)
    socket?.off('close', end)
    if (!response.writableFinished) disconnected.abort()
  }
  if (response.closed || socket?.destroyed) end()
  else {
    response.on('close', end)
    // node:http does not close a response that is queued behind others on a connection when that connection ends.
    if (response.socket === null) socket.on('close', end)
  }
  return disconnected.signal
}

/** Raises the idle limit of a connection until the response is closed; a limit that is longer, or none, is not changed. */
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
