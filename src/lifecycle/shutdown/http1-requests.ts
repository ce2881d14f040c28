import type { IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { PendingResponses } from './pending-responses.ts'

/** The HTTP/1 requests of a server, until each connection has had its last answer. */
export interface Http1Requests {
  /** Each answer from now on says `Connection: close`, those under way included whose header is not sent yet. */
  beLast(): void
  /** How long the connections between two requests have been idle, the one that became idle last, since `beLast`. */
  idleMilliseconds(): number
  /** Closes the connections between two requests. */
  closeIdle(): void
  closeAll(): void
  release(): void
}

/** What a server has that answers HTTP/1, and one of HTTP/2 alone has not. */
interface Http1Server extends Server {
  closeIdleConnections?(): void
  closeAllConnections?(): void
}

/** Follows requests whatever answers them: Express, Koa and others are listeners to the same event. */
export function followRequests(server: Http1Server, clock: Clock): Http1Requests {
  const pending = new PendingResponses()
  let last = false
  let idleSince = Number.POSITIVE_INFINITY

  const follow = ({ httpVersionMajor, socket }: IncomingMessage, answer: ServerResponse): void => {
    if (httpVersionMajor !== 1) return
    pending.add(socket, answer)
    if (last) forbidNext(answer)
  }

  const becomeIdle = (): void => {
    idleSince = clock.monotonicTime()
  }

  // Before the application, which may answer at once.
  server.prependListener('request', follow)
  return {
    beLast() {
      last = true
      becomeIdle()
      for (const answer of pending) {
        // The client has been told to keep the connection, and may send a request as soon as it has the answer.
        if (answer.headersSent) answer.once('close', becomeIdle)
        else forbidNext(answer)
      }
    },
    idleMilliseconds: () => clock.monotonicTime() - idleSince,
    closeIdle() {
      server.closeIdleConnections?.()
    },
    closeAll() {
      server.closeAllConnections?.()
    },
    release() {
      server.off('request', follow)
    },
  }
}

/** Unlike a header field, which frameworks take back when they answer with an error, this lasts. */
function forbidNext(answer: OutgoingMessage): void {
  answer.shouldKeepAlive = false
}
