import { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import { TLSSocket, Server as TlsServer } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { followRequests } from './http1-requests.ts'
import { followSessions } from './http2-sessions.ts'

/** A server on its way to an end that loses no request: HTTP/1 and HTTP/2, in the clear and over TLS. */
export interface Drain {
  /**
   * Accepts no more connections and lets every answer from now on be its connection's last; closes those that are idle,
   * once each has been so for a while in which a last request that is on its way may come; resolves when none is left.
   */
  begin(idleMilliseconds: number): Promise<void>
  /** Cuts what is left, and answers how many connections that were. */
  cut(): number
  /** Takes its listeners off the server. */
  release(): void
}

/** How often connections are looked through for those that are idle. */
const sweepMilliseconds = 50

const mostTurns = 50

/** Follows a server from now on. */
export function createDrain(server: Server, clock: Clock): Drain {
  const connections = new Set<Socket>()
  const requests = followRequests(server, clock)
  const sessions = followSessions(server)
  let accepted = 0

  const follow = (socket: Socket): void => {
    accepted += 1
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }

  /** Who is connected and not accepted yet would be cut off: lets them in, as long as they keep coming in time. */
  async function acceptWaiting(): Promise<void> {
    await nextTurn()
    for (let turn = 0, before = -1; accepted !== before && turn < mostTurns; turn += 1) {
      before = accepted
      await nextTurn()
    }
  }

  function closeIdle(): void {
    requests.closeIdle()
    // One that never had a request does not count as idle there.
    for (const socket of connections) if (isUnused(socket, server)) socket.destroy()
  }

  // Over TLS a connection is two sockets: the outer one has the requests, the inner one is there from the start.
  const events = server instanceof TlsServer ? ['connection', 'secureConnection'] : ['connection']
  for (const event of events) server.on(event, follow)

  return {
    async begin(idleMilliseconds) {
      requests.beLast()
      await acceptWaiting()
      sessions.close()
      const sweep = setInterval(() => {
        if (requests.idleMilliseconds() >= idleMilliseconds) closeIdle()
      }, sweepMilliseconds)
      await stopListening(server, connections, idleMilliseconds === 0)
      clearInterval(sweep)
    },
    cut() {
      const count = [...connections].filter((socket) => !(socket instanceof TLSSocket)).length
      sessions.destroy()
      requests.closeAll()
      for (const socket of connections) socket.destroy()
      return count
    },
    release() {
      for (const event of events) server.off(event, follow)
      requests.release()
      sessions.release()
    },
  }
}

/** Resolves when the last connection is closed; also of a server that does not listen any more. */
function stopListening(server: Server, connections: ReadonlySet<Socket>, idleToo: boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = (notListening?: Error): void => {
      if (notListening === undefined || connections.size === 0) resolve()
      else for (const socket of connections) socket.once('close', () => void (connections.size === 0 && resolve()))
    }
    if (idleToo || !('closeIdleConnections' in server)) server.close(end)
    else withoutClosingIdle(server, () => server.close(end))
  })
}

/** A server of node:http would cut off idle connections when it is closed, whether or not a request is on its way. */
function withoutClosingIdle(server: Server & { closeIdleConnections?: unknown }, close: () => void): void {
  // Not the close() of node:net in its place, which leaves the timer by which node:http looks for late requests.
  server.closeIdleConnections = () => {}
  try {
    close()
  } finally {
    delete server.closeIdleConnections
  }
}

/** Whether a connection is of HTTP/1 and nothing has come over it. */
function isUnused(socket: Socket, server: Server): boolean {
  const isHttp1 = socket instanceof TLSSocket ? socket.alpnProtocol !== 'h2' : server instanceof HttpServer
  return isHttp1 && socket.bytesRead === 0
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
