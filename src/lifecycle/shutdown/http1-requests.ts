import type { IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { PendingResponses } from './pending-responses.ts'

/** Tracks the HTTP/1 requests of a server, to end each connection after its last response. */
interface Http1Requests {
  /** Sends `Connection: close` with each response from now on, including active ones whose header has not been sent. */
  endConnections(): void
  /** Whether a request has no complete response. */
  isActive(): boolean
  /** Returns how long all kept connections have been idle, since `endConnections`. */
  idleMilliseconds(): number
  /** Closes connections without an active request. */
  closeIdle(): void
  closeAll(): void
  release(): void
}

/** A server that supports HTTP/1 has these methods; one for HTTP/2 only does not. */
interface Http1Server extends Server {
  closeIdleConnections?(): void
  closeAllConnections?(): void
}

/** Tracks requests with any framework: Express, Koa and others listen to the same event. */
export function followRequests(server: Http1Server, clock: Clock): Http1Requests {
  const pending = new PendingResponses()
  let isEnding = false
  let idleSince = Number.POSITIVE_INFINITY

  const track = ({ httpVersionMajor, socket }: IncomingMessage, response: ServerResponse): void => {
    if (httpVersionMajor !== 1) return
    pending.add(socket, response)
    if (isEnding) endConnectionAfter(response)
  }

  const becomeIdle = (): void => {
    idleSince = clock.monotonicTime()
  }

  // Before the application, which may respond synchronously.
  server.prependListener('request', track)
  return {
    endConnections() {
      isEnding = true
      becomeIdle()
      for (const response of pending) {
        // The client expects to keep the connection, and may send a request as soon as it has the response.
        if (response.headersSent) response.once('close', becomeIdle)
        else endConnectionAfter(response)
      }
    },
    isActive: () => !pending[Symbol.iterator]().next().done,
    idleMilliseconds: () => clock.monotonicTime() - idleSince,
    closeIdle() {
      server.closeIdleConnections?.()
    },
    closeAll() {
      server.closeAllConnections?.()
    },
    release() {
      server.off('request', track)
    },
  }
}

/** Unlike a header field, this is not removed by frameworks that replace the response by an error. */
function endConnectionAfter(response: OutgoingMessage): void {
  response.shouldKeepAlive = false
}
