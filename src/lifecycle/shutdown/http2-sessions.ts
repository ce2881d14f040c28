import type { ServerHttp2Session } from 'node:http2'
import type { Server } from 'node:net'

/** The HTTP/2 sessions of a server, until each has answered its last request. */
export interface Http2Sessions {
  /**
   * Tells clients by GOAWAY which requests were the last (RFC 9113 §6.8), and closes each session once those are answered.
   * What a client has sent before it heard of that is refused as never begun, so that it may be sent elsewhere.
   */
  close(): void
  destroy(): void
  release(): void
}

/** Follows the sessions that begin from now on; a server without HTTP/2 has none. */
export function followSessions(server: Server): Http2Sessions {
  const sessions = new Set<ServerHttp2Session>()
  let closing = false

  const follow = (session: ServerHttp2Session): void => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    if (closing) session.close()
  }

  server.on('session', follow)
  return {
    close() {
      closing = true
      for (const session of sessions) session.close()
    },
    destroy() {
      for (const session of sessions) session.destroy()
    },
    release() {
      server.off('session', follow)
    },
  }
}
