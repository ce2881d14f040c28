import { existsSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { openEndpoints } from '../checks.ts'
import { finding, type Outcome, ok, unchecked } from '../outcome.ts'
import { isRepresentation, type Received } from '../service/request.ts'
import type { ManagementFacts, ProgramFacts, ServerFacts } from './program-facts.ts'

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

function isOnLoopback({ address }: ServerFacts): boolean {
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

/** Sends GET to a server of the program; `undefined` if it does not respond. */
export type GetFrom = (server: ServerFacts, path: string) => Promise<Received | undefined>

/** Requests the endpoints that are open by their options: the application may authorize requests itself. */
export async function checkAccess(
  { managements, servers }: ProgramFacts,
  publicEndpoints: ReadonlySet<string>,
  getFrom: GetFrom,
): Promise<Outcome> {
  if (servers.length === 0) return unchecked('access', 'the program has not listened on a port')
  const open = new Set<string>()
  for (const management of managements) {
    for (const id of management.open) {
      if (!publicEndpoints.has(id) && (await isReadable(pathOf(management, id), servers, getFrom))) open.add(id)
    }
  }
  return open.size === 0 ? ok('access') : openEndpoints([...open])
}

/** Whether everyone can read an endpoint. One that no server has at its path is below a path of the application. */
async function isReadable(path: string, servers: readonly ServerFacts[], getFrom: GetFrom): Promise<boolean> {
  const outside = servers.filter((server) => !isOnLoopback(server))
  if (outside.length === 0) return false
  const [received, receivedInside] = await Promise.all(
    [outside, servers.filter(isOnLoopback)].map((each) => Promise.all(each.map((server) => getFrom(server, path)))),
  )
  const isServed = (each: Received | undefined) => each !== undefined && isRepresentation(each)
  if (received?.some(isServed)) return true
  const isRefused = (each: Received | undefined) => each !== undefined && [401, 403].includes(each.status)
  return !received?.some(isRefused) && !receivedInside?.some(isServed)
}

/** Returns the path of an endpoint, which the option `paths` may have moved. */
export function pathOf({ basePath, paths }: ManagementFacts, id: string): string {
  const path = paths[id] ?? id
  return path.startsWith('/') ? path : `${basePath}/${path}`
}
