import type { Socket } from 'node:net'

/** The origin of a service. */
export interface Origin {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** Value of `Host`. */
  readonly authority: string
}

export function originOf(url: URL): Origin {
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { secure, host, port: Number(url.port) || (secure ? 443 : 80), authority: url.host }
}

/** Opens a connection. Rejects after `timeoutMilliseconds`. */
export async function connectTo({ secure, host, port }: Origin, timeoutMilliseconds: number): Promise<Socket> {
  const { connect, isIP } = process.getBuiltinModule('node:net')
  const servername = isIP(host) === 0 ? { servername: host } : {}
  const socket = secure
    ? process.getBuiltinModule('node:tls').connect({ host, port, ...servername, ALPNProtocols: ['http/1.1'] })
    : connect({ host, port })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => fail(new Error(`no connection within ${timeoutMilliseconds} ms`)),
      timeoutMilliseconds,
    )
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}
