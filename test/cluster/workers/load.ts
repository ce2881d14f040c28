import { connect } from 'node:net'
import { keepAlive } from '../../support/keep-alive.ts'

/** What became of the requests of a load. */
export interface Load {
  /** Complete responses with 200, by the pid in their content. */
  readonly answered: ReadonlyMap<number, number>
  readonly total: number
  /** Requests without a complete response with 200, described. */
  readonly lost: readonly string[]
  /** Connections that the server has closed while the client was about to send: it may retry (RFC 9112 §9.3.1). */
  readonly closedIdle: number
  /** Connections that were refused: nothing was sent. */
  readonly refused: number
  /** Opens no connections from now on, as a load balancer does when readiness is 503. Those that are open stay. */
  connectNoMore(): void
  /** Stops when the requests under way are answered. */
  stop(): Promise<void>
}

/** Sends requests over persistent connections, and over connections for one request each, until it is stopped. */
export function startLoad(port: number, { persistent = 16, short = 8 } = {}): Load {
  const answered = new Map<number, number>()
  const lost: string[] = []
  const counts = { total: 0, refused: 0, closedIdle: 0 }
  let isStopped = false
  let connects = true

  function note(status: number, body: string): void {
    const pid = Number.parseInt(body, 10)
    if (status !== 200 || body.length !== 2_000) lost.push(`status ${status} with ${body.length} bytes`)
    counts.total += 1
    answered.set(pid, (answered.get(pid) ?? 0) + 1)
  }

  /** Returns whether there is anything to connect to. */
  async function usePersistent(): Promise<boolean> {
    const connection = await keepAlive(port).catch(() => undefined)
    if (connection === undefined) return false
    for (let sent = 0; !isStopped; sent += 1) {
      if (connection.socket.closed || connection.socket.readableEnded) {
        counts.closedIdle += 1
        break
      }
      try {
        const { status, body, connection: field } = await connection.get('/')
        note(status, body)
        if (field === 'close') break
      } catch (error) {
        lost.push(`request ${sent + 1} of a persistent connection: ${String(error)}`)
        break
      }
    }
    connection.socket.destroy()
    return true
  }

  function useOnce(): Promise<boolean> {
    return new Promise((resolve) => {
      let received = ''
      let failure = ''
      let isConnected = false
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        isConnected = true
        socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
      })
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text
      })
      socket.on('error', ({ message }) => {
        failure = message
      })
      socket.on('close', () => {
        const [head = '', body = ''] = received.split('\r\n\r\n')
        if (!isConnected) return resolve(false)
        if (received === '') lost.push(`request of a short connection: ${failure || 'closed'}`)
        else note(Number(head.split(' ')[1]), body)
        resolve(true)
      })
    })
  }

  async function repeat(use: () => Promise<boolean>): Promise<void> {
    while (!isStopped && connects) {
      if (await use()) continue
      counts.refused += 1
      return
    }
  }

  const loops = [
    ...Array.from({ length: persistent }, () => repeat(usePersistent)),
    ...Array.from({ length: short }, () => repeat(useOnce)),
  ]
  return {
    answered,
    lost,
    get total() {
      return counts.total
    },
    get refused() {
      return counts.refused
    },
    get closedIdle() {
      return counts.closedIdle
    },
    connectNoMore() {
      connects = false
    },
    async stop() {
      isStopped = true
      await Promise.all(loops)
    },
  }
}
