import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestServer } from './server-process.ts'

/** Splits the first complete message from the received bytes; `undefined` while it is incomplete. */
export type Cut = (bytes: Buffer) => { readonly message: Buffer; readonly rest: Buffer } | undefined

export interface FakePlan {
  readonly url: (port: number) => string
  readonly cut: Cut
  /** Returns the response to a message; `undefined` for none. */
  readonly respond: (message: Buffer, port: number) => Buffer | undefined
}

/** Starts a server in this process that implements the part of a protocol its client needs. */
export async function startFake({ url, cut, respond }: FakePlan): Promise<TestServer> {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let isFrozen = false
  let port = 0

  const serve = (socket: Socket): void => {
    let bytes = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let next = cut(bytes); next !== undefined; next = cut(bytes)) {
        bytes = Buffer.from(next.rest)
        const reply = respond(next.message, port)
        if (reply !== undefined) {
          socket.write(reply)
        }
      }
    })
    if (isFrozen) {
      socket.pause()
    }
  }

  const start = async (): Promise<void> => {
    server = createServer(serve).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }

  const stop = async (): Promise<void> => {
    if (server === undefined) {
      return
    }
    const closed = once(server, 'close')
    server.close()
    server = undefined
    isFrozen = false
    for (const socket of sockets) {
      socket.destroy()
    }
    await closed
  }

  const freeze = (): void => {
    isFrozen = true
    for (const socket of sockets) {
      socket.pause()
    }
  }

  const thaw = (): void => {
    isFrozen = false
    for (const socket of sockets) {
      socket.resume()
    }
  }

  await start()
  return { url: url(port), port, start, stop, kill: stop, freeze, thaw, dispose: stop }
}
