import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

export interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Starts an HTTP server on a free port of 127.0.0.1. */
export async function listen(handler: RequestListener): Promise<Listening> {
  const server = createServer({ maxHeaderSize: 64 * 1024 }, handler)
  const port = await listenOn(server)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port, close }
}

/** Starts listening on a free port of 127.0.0.1, and returns the port. */
export async function listenOn(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
