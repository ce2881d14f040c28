import { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import { TLSSocket, Server as TlsServer } from 'node:tls'
import type { Clock } from '../clock.ts'
import { followRequests } from './http1-requests.ts'
import { followSessions } from './http2-sessions.ts'

/** A server on its way to an end that loses no request: HTTP/1 and HTTP/2, in the clear and over TLS. */
export interface Drain {
  /**
   * Lets every answer from now on be its connection's last, accepts no more connections, closes those that are idle, and
   * resolves when the last one is closed.
   */
  begin(): Promise<void>
  /** Cuts what is left, and answers how many connections that were. */
  cut(): number
  /** Takes its listeners off the server. */
  release(): void
}

/** How often connections are looked through: not all say when they fall idle. */
const sweepMilliseconds = 50

/** How long a connection may go on that never had a request: its first one may be on its way. */
const firstRequestMilliseconds = 1_000

/** Follows a server from now on. */
export function createDrain(server: Server, clock: Clock): Drain {
  const connections = new Set<Socket>()
  const requests = followRequests(server)
  const sessions = followSessions(server)

  const follow = (socket: Socket): void => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }

  function sweep(closeUnused: boolean): void {
    requests.closeIdle()
    if (!closeUnused) return
    for (const socket of connections) if (isUnused(socket, server)) socket.destroy()
  }

  // Over TLS a connection is two sockets: the outer one has the requests, the inner one is there from the start.
  const events = server instanceof TlsServer ? ['connection', 'secureConnection'] : ['connection']
  for (const event of events) server.on(event, follow)

  return {
    async begin() {
      requests.beLast()
      // What has arrived by now is read first: a connection with a request in its buffer is not idle.
      await nextTurn()
      await nextTurn()
      sessions.close()
      const patience = clock.monotonicTime() + firstRequestMilliseconds
      const sweeping = setInterval(() => sweep(clock.monotonicTime() > patience), sweepMilliseconds)
      try {
        await close(server, connections)
      } finally {
        clearInterval(sweeping)
      }
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

/** Listens no more, and waits for the last connection; also of a server that does not listen any more. */
function close(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close((notListening) => {
      if (notListening === undefined || connections.size === 0) resolve()
      else for (const socket of connections) socket.once('close', () => void (connections.size === 0 && resolve()))
    })
  })
}

/** Whether a connection is of HTTP/1 and nothing has come over it. */
function isUnused(socket: Socket, server: Server): boolean {
  const isHttp1 = socket instanceof TLSSocket ? socket.alpnProtocol !== 'h2' : server instanceof HttpServer
  return isHttp1 && socket.bytesRead === 0
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
