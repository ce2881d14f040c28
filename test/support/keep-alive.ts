import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** An answer's status line and header, and what followed it so far. */
export interface KeptAnswer {
  readonly status: number
  /** What the field `Connection` says; undefined when there is none. */
  readonly connection: string | undefined
  readonly body: string
}

/** A client that keeps its one connection as long as the server lets it. */
export interface KeptConnection {
  readonly socket: Socket
  /** Sends bytes as they are. */
  send(bytes: string): void
  /** Sends a GET, and reads one answer that has a length. */
  get(target: string): Promise<KeptAnswer>
  /** Reads the next answer that has a length. */
  next(): Promise<KeptAnswer>
  /** Resolves when the connection is closed, by whomever. */
  readonly closed: Promise<void>
}

/** Connects to 127.0.0.1, and resolves once connected. */
export async function keepAlive(port: number, { tls = false } = {}): Promise<KeptConnection> {
  const options = { port, host: '127.0.0.1' }
  const socket = tls ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options)
  let received = ''
  let heard: () => void = () => undefined
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    received += text
    heard()
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  void closed.then(() => heard())
  await new Promise<void>((resolve, reject) => {
    socket.once(tls ? 'secureConnect' : 'connect', resolve)
    socket.once('error', reject)
  })

  async function next(): Promise<KeptAnswer> {
    for (;;) {
      const answer = take()
      if (answer !== undefined) return answer
      if (socket.closed) throw new Error(`closed after ${JSON.stringify(received)}`)
      await new Promise<void>((resolve) => {
        heard = resolve
      })
    }
  }

  function take(): KeptAnswer | undefined {
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = received.slice(0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < end + 4 + length) return undefined
    const body = received.slice(end + 4, end + 4 + length)
    received = received.slice(end + 4 + length)
    return { status: Number(head.split(' ')[1]), connection: /\r\nconnection: ([^\r]+)/i.exec(head)?.[1], body }
  }

  const send = (bytes: string) => void socket.write(bytes)
  const get = (target: string) => {
    send(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    return next()
  }
  return { socket, send, get, next, closed }
}
