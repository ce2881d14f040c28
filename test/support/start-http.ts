import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface HttpServer {
  readonly url: string
  readonly port: number
  /** The number of open connections. */
  readonly connections: () => number
  readonly dispose: () => Promise<void>
}

/** Starts a server on a free port of 127.0.0.1, with TLS if a certificate is given. */
export async function startHttp(listener: RequestListener, secure?: ServerOptions): Promise<HttpServer> {
  const server: Server = secure === undefined ? createServer(listener) : createSecureServer(secure, listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dispose = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { url: `http${secure ? 's' : ''}://127.0.0.1:${port}`, port, connections: () => sockets.size, dispose }
}
