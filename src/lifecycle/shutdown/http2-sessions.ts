import type { ServerHttp2Session } from 'node:http2'
import type { Server } from 'node:net'

/** Tracks the HTTP/2 sessions of a server, to close each after its last response. */
interface Http2Sessions {
  /**
   * Sends GOAWAY (RFC 9113 §6.8), and closes each session after its last response. Requests that a client sends before
   * it receives the GOAWAY are refused as not processed, so that it can retry them elsewhere.
   */
  close(): void
  isActive(): boolean
  destroy(): void
  release(): void
}

/** Tracks sessions from now on. A server without HTTP/2 has none. */
export function followSessions(server: Server): Http2Sessions {
  const sessions = new Set<ServerHttp2Session>()
  let isClosing = false

  const track = (session: ServerHttp2Session): void => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    if (isClosing) session.close()
  }

  server.on('session', track)
  return {
    close() {
      isClosing = true
      for (const session of sessions) session.close()
    },
    isActive: () => sessions.size > 0,
    destroy() {
      for (const session of sessions) session.destroy()
    },
    release() {
      server.off('session', track)
    },
  }
}
