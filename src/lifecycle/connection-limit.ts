import type { Server, Socket } from 'node:net'
import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'

/** The connections of a server that may be open at a time. */
export interface ConnectionLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
}

const reportMilliseconds = 60_000

/**
 * Closes each connection that exceeds a limit, at once and without a response. The first is reported, then at most one
 * per minute.
 */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: ConnectionLimits,
  report: Report,
  clock: Clock,
): void {
  const open = new Map<string, number>()
  let refused = 0
  let reportedAt = Number.NEGATIVE_INFINITY

  const refuse = (limit: string): void => {
    refused += 1
    const now = clock.monotonicTime()
    if (now - reportedAt < reportMilliseconds) return
    report(`listen: ${refused === 1 ? 'a connection was' : `${refused} connections were`} closed: ${limit}`)
    reportedAt = now
    refused = 0
  }

  server.maxConnections = maxConnections
  // Emitted in place of `connection`, for a connection that node:net has closed.
  server.on('drop', () => refuse(`maxConnections is ${maxConnections}`))
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const count = (open.get(remoteAddress) ?? 0) + 1
    if (count > maxConnectionsPerAddress) {
      socket.destroy()
      refuse(`maxConnectionsPerAddress is ${maxConnectionsPerAddress}`)
      return
    }
    open.set(remoteAddress, count)
    socket.once('close', () => {
      const left = (open.get(remoteAddress) ?? 1) - 1
      if (left === 0) open.delete(remoteAddress)
      else open.set(remoteAddress, left)
    })
  })
}
