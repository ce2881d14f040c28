import { type Answer, wantStatus } from '../../answer.ts'
import { noCredentials, skip } from '../../check-result.ts'
import { type Json, jsonOf } from '../../json.ts'
import type { Asking, Service } from '../../service.ts'
import { wantJson } from '../json-resource.ts'

/** The endpoints that show what a process contains or does, or change it. */
const guarded: readonly string[] = [
  'env',
  'httpexchanges',
  'mappings',
  'threaddump',
  'heapdump',
  'profile',
  'pprof',
  'scheduledtasks',
  'caches',
  'startup',
  'sbom',
  'logfile',
  'tracing',
  'captures',
  'console',
  'why',
  'shutdown',
]

/** Those whose GET measures or dumps the process. */
const costly: readonly string[] = ['heapdump', 'profile', 'pprof']

/** The path of an endpoint that is not guarded at its identifier, or not there. */
const guardedPathOf: Readonly<Record<string, string>> = { pprof: '/pprof/profile', console: '/console/overview' }

/** A path of a guarded endpoint, and a request of it by GET that dumps nothing, also if it is not refused. */
interface GuardedPath {
  readonly endpoint: string
  readonly path: string
  readonly asking: Asking
}

/** Returns a path of each guarded endpoint that is exposed. */
export async function guardedPaths(service: Service): Promise<readonly GuardedPath[]> {
  const paths: GuardedPath[] = []
  for (const endpoint of guarded) {
    if (!(await service.has(endpoint))) continue
    const path = guardedPathOf[endpoint] ?? `/${endpoint}`
    // Nothing can be sent as an image: an endpoint that is not refused responds with 406 at most.
    const asking = costly.includes(endpoint) ? { headers: { Accept: 'image/png' } } : {}
    paths.push({ endpoint, path, asking })
  }
  return paths.length > 0 ? paths : skip('no endpoint for diagnostics is exposed')
}

/** Returns the guarded endpoints whose content may be requested. */
export async function readablePaths(service: Service): Promise<readonly string[]> {
  const paths = await guardedPaths(service)
  return paths.flatMap(({ endpoint, path }) => (costly.includes(endpoint) || endpoint === 'shutdown' ? [] : [path]))
}

/** Requests a resource; skips the case if it requires credentials that were not passed, or others. */
export async function askPermitted(service: Service, path: string, asking: Asking = {}): Promise<Answer> {
  const answer = await service.ask(path, asking)
  if (answer.status !== 401 && answer.status !== 403) return answer
  if (service.settings.authorization === undefined) skip(noCredentials)
  return skip(`the credentials are not sufficient for ${path}`)
}

/** Returns the JSON of a resource, sent with 200. */
export async function readJson(
  service: Service,
  path: string,
): Promise<{ readonly answer: Answer; readonly value: Json }> {
  const answer = await askPermitted(service, path)
  wantStatus(answer, 200)
  wantJson(answer, service)
  return { answer, value: jsonOf(answer) }
}
