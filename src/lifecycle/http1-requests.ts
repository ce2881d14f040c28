import type { IncomingMessage, OutgoingMessage } from 'node:http'
import type { Server } from 'node:net'

/** The HTTP/1 requests of a server, until each connection has had its last answer. */
export interface Http1Requests {
  /** Each answer from now on says `Connection: close`, those under way included whose header is not sent yet. */
  beLast(): void
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
export function followRequests(server: Http1Server): Http1Requests {
  const answers = new Set<OutgoingMessage>()
  let last = false

  const follow = ({ httpVersionMajor }: IncomingMessage, answer: OutgoingMessage): void => {
    if (httpVersionMajor !== 1) return
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
    if (last) forbidNext(answer)
  }

  // Before the application, which may answer at once.
  server.prependListener('request', follow)
  return {
    beLast() {
      last = true
      for (const answer of answers) forbidNext(answer)
    },
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
  if (!answer.headersSent) answer.shouldKeepAlive = false
}
