import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut and mended, or blocked and freed. */
export interface BreakableWay {
  readonly port: number
  /** Resets every connection and refuses new ones, as of a server that was stopped. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Lets nothing more through without closing anything, as of a server that hangs. */
  block(): void
  free(): void
  close(): Promise<void>
}

export async function openBreakableWay(host: string, port: number): Promise<BreakableWay> {
  const sockets = new Set<Socket>()
  let blocked = false
  const server = createServer((near) => {
    const far = connect(port, host)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.on('data', (chunk) => other.write(chunk))
      if (blocked) one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }
  return {
    port: own,
    cut,
    mend: async () => {
      server.listen(own, '127.0.0.1')
      await once(server, 'listening')
    },
    block: () => {
      blocked = true
      for (const socket of sockets) socket.pause()
    },
    free: () => {
      blocked = false
      for (const socket of sockets) socket.resume()
    },
    close: cut,
  }
}
