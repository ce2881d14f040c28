import { openEndpoints } from '../check-access.ts'
import { type Outcome, ok, unchecked } from '../outcome.ts'
import { isRepresentation, type Received } from '../service/request.ts'
import { isOnLoopback } from './program-address.ts'
import type { ManagementFacts, ProgramFacts, ServerFacts } from './program-facts.ts'

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
