import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const port = await listenOnce(0)
  if (port === undefined) throw new Error('no port of 127.0.0.1 is free')
  return port
}

/**
 * The first of two adjacent ports of 127.0.0.1 that nobody listens on. They are below those that systems give to
 * outgoing connections: such a port cannot be listened on for a minute after its connection has ended.
 */
export async function freePortPair(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  return (await listenOnce(port)) && (await listenOnce(port + 1)) ? port : freePortPair()
}

/** Returns the port that it has listened on, 0 for any; `undefined` if it is in use. */
async function listenOnce(wanted: number): Promise<number | undefined> {
  const server = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
