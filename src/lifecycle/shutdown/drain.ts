import { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { nextTurn } from '../../base/timers.ts'
import { followRequests } from './http1-requests.ts'
import { followSessions } from './http2-sessions.ts'

/** Closes a server without losing requests: HTTP/1 and HTTP/2, with and without TLS. */
export interface Drain {
  /**
   * Stops accepting connections, and makes every response the last one on its connection. Connections are closed once
   * they have been idle for this long, because a last request may be on its way. Resolves when no connection is left.
   */
  begin(idleMilliseconds: number): Promise<void>
  /**
   * Like `begin`, but still accepts connections, for an application that closes the server itself. Resolves when no
   * request is active, and kept connections have been idle for this long.
   */
  finishRequests(idleMilliseconds: number): Promise<void>
  /** Destroys the remaining connections, and returns their number. */
  destroy(): number
  /** Removes its listeners from the server. */
  release(): void
}

/** The interval at which idle connections are searched. */
const sweepMilliseconds = 50

/** A turn of the event loop that took less has handled no request, and no client has run meanwhile on the same core. */
const shortTurnMilliseconds = 0.1

const maxTurns = 50

/** Tracks the connections of a server from now on. */
export function createDrain(server: Server, clock: Clock): Drain {
  const connections = new Set<Socket>()
  const requests = followRequests(server, clock)
  const sessions = followSessions(server)
  let accepted = 0

  const track = (socket: Socket): void => {
    accepted += 1
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }

  /**
   * Accepts the connections in the backlog, which the kernel resets when the listener closes: until a turn that
   * accepted none, and was so short that hardly any can have arrived since.
   */
  async function acceptWaiting(): Promise<void> {
    await nextTurn()
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const before = accepted
      const start = clock.monotonicTime()
      await nextTurn()
      if (accepted === before && clock.monotonicTime() - start < shortTurnMilliseconds) return
    }
  }

  function closeIdle(): void {
    requests.closeIdle()
    // Node does not regard a connection without a request as idle.
    for (const socket of connections) if (isUnused(socket, server)) socket.destroy()
  }

  // A TLS connection has two sockets: the outer one has the requests, the inner one exists from the start.
  const events = ['connection', 'secureConnection']
  for (const event of events) server.on(event, track)

  return {
    async begin(idleMilliseconds) {
      requests.endConnections()
      // Compiles what closes a server, which otherwise takes a multiple of the time after the last look into the
      // backlog.
      new HttpServer().close()
      await acceptWaiting()
      const closed = stopListening(server, connections, idleMilliseconds === 0)
      sessions.close()
      const sweep = setInterval(() => {
        if (requests.idleMilliseconds() >= idleMilliseconds) closeIdle()
      }, sweepMilliseconds)
      await closed
      clearInterval(sweep)
    },
    async finishRequests(idleMilliseconds) {
      requests.endConnections()
      sessions.close()
      await new Promise<void>((resolve) => {
        const sweep = setInterval(() => {
          const isIdle = !requests.isActive() && requests.idleMilliseconds() >= idleMilliseconds
          if (connections.size > 0 && (sessions.isActive() || !isIdle)) return
          clearInterval(sweep)
          resolve()
        }, sweepMilliseconds)
      })
      closeIdle()
    },
    destroy() {
      const count = [...connections].filter((socket) => !isTls(socket)).length
      sessions.destroy()
      requests.closeAll()
      for (const socket of connections) socket.destroy()
      return count
    },
    release() {
      for (const event of events) server.off(event, track)
      requests.release()
      sessions.release()
    },
  }
}

/** Resolves when the last connection is closed, also if the server does not listen anymore. */
function stopListening(server: Server, connections: ReadonlySet<Socket>, closesIdle: boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = (notListening?: Error): void => {
      if (notListening === undefined || connections.size === 0) resolve()
      else for (const socket of connections) socket.once('close', () => void (connections.size === 0 && resolve()))
    }
    if (closesIdle || !('closeIdleConnections' in server)) server.close(end)
    else withoutClosingIdle(server, () => server.close(end))
  })
}

/** Closes a server of node:http without closing idle connections, on which a request may be on its way. */
function withoutClosingIdle(server: Server & { closeIdleConnections?: unknown }, close: () => void): void {
  // Not close() of node:net, which does not stop the timer that enforces timeouts of requests.
  server.closeIdleConnections = () => {}
  try {
    close()
  } finally {
    delete server.closeIdleConnections
  }
}

/** Whether a connection uses HTTP/1 and has not received anything. */
function isUnused(socket: Socket, server: Server): boolean {
  const isHttp1 = isTls(socket) ? socket.alpnProtocol !== 'h2' : server instanceof HttpServer
  return isHttp1 && socket.bytesRead === 0
}

/** Without loading node:tls. */
function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket
}
