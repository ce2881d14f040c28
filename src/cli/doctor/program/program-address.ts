import { existsSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { finding, type Outcome, ok, unchecked } from '../outcome.ts'
import type { ServerFacts } from './program-facts.ts'

/**
 * Checks that the servers of the application, and those of its management, can be reached: one that listens on a
 * loopback address is not reachable through the network of its container.
 */
export function checkAddress(
  servers: readonly ServerFacts[],
  managed: readonly ServerFacts[],
  { inContainer }: { readonly inContainer: boolean },
): Outcome {
  if (!inContainer && !isContainer()) {
    return unchecked('address', 'this is not a container: pass --container if the program is for one')
  }
  if (servers.length === 0) return unchecked('address', 'the program has not listened on a port')
  const hidden = [servers.filter(({ isOwn }) => !isOwn), managed].find(
    (each) => each.length > 0 && each.every(isOnLoopback),
  )
  const [server] = hidden ?? []
  if (server === undefined) return ok('address')
  const { address, port, isOwn } = server
  return finding(
    'address',
    `it listens on ${authorityOf(address, port)} only, which probes and other containers cannot reach`,
    isOwn ? `await listen(management, { port: ${port}, host: '0.0.0.0' })` : `server.listen(${port}, '0.0.0.0')`,
  )
}

function isContainer(): boolean {
  const { env } = process
  return env['KUBERNETES_SERVICE_HOST'] !== undefined || existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}

export function isOnLoopback({ address }: ServerFacts): boolean {
  return address.startsWith('127.') || address === '::1'
}

/** Returns the URL by which it is reached from this machine. */
export function urlOf({ address, port, isSecure }: ServerFacts): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `${isSecure ? 'https' : 'http'}://${authorityOf(host, port)}`
}

function authorityOf(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
}
