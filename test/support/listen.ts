import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Serves on a free port of 127.0.0.1. */
export async function listen(handler: RequestListener): Promise<Listening> {
  const server = createServer({ maxHeaderSize: 64 * 1024 }, handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}
