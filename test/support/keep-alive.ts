import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The status, a header field and the content of a response. */
export interface ReceivedResponse {
  readonly status: number
  /** The value of the field `Connection`, if any. */
  readonly connection: string | undefined
  readonly body: string
}

/** A client with one persistent connection. */
export interface KeepAliveConnection {
  readonly socket: Socket
  /** Sends bytes unchanged. */
  send(bytes: string): void
  /** Sends a GET, and reads one response with a length. */
  get(target: string): Promise<ReceivedResponse>
  /** Reads the next response with a length. */
  next(): Promise<ReceivedResponse>
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>
}

/** Connects to 127.0.0.1, and resolves once connected. */
export async function keepAlive(port: number, { tls = false } = {}): Promise<KeepAliveConnection> {
  const options = { port, host: '127.0.0.1' }
  const socket = tls ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options)
  let received = ''
  let notify: () => void = () => undefined
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    received += text
    notify()
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  void closed.then(() => notify())
  await new Promise<void>((resolve, reject) => {
    socket.once(tls ? 'secureConnect' : 'connect', resolve)
    socket.once('error', reject)
  })

  async function next(): Promise<ReceivedResponse> {
    for (;;) {
      const response = take()
      if (response !== undefined) return response
      if (socket.closed) throw new Error(`closed after ${JSON.stringify(received)}`)
      await new Promise<void>((resolve) => {
        notify = resolve
      })
    }
  }

  function take(): ReceivedResponse | undefined {
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
