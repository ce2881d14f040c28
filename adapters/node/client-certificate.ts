import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Principal } from '../../src/entries/index.ts'

/** Returns the principal of the client of a connection by its certificate, if the server trusts its authority. */
export function principalOf(socket: Socket | undefined): Principal | undefined {
  // A socket without TLS has no `authorized`.
  const { authorized, getPeerCertificate } = (socket ?? {}) as Partial<TLSSocket>
  if (authorized !== true) return undefined
  const name = getPeerCertificate?.call(socket).subject?.CN
  return typeof name === 'string' && name !== '' ? { name } : undefined
}
