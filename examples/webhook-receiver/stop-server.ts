import { once } from 'node:events'
import type { Server } from 'node:http'

/**
 * Stops listening, and resolves when every request that has arrived is answered; those that are not by the deadline are
 * cut off.
 */
export async function stopServer(server: Server, deadlineMilliseconds: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A connection that a client keeps open has no end of its own, and is idle only after its last answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMilliseconds)
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
}
