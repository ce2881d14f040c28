import { durationMilliseconds } from '../base/duration.ts'
import type { ContractCase, ContractOptions } from '../entries/contract.ts'

/** Areas whose cases are about the application instead of its management endpoints. */
const applicationAreas: ReadonlySet<string> = new Set(['webhook', 'trace'])

/**
 * Finds a single cause that would break most cases: no response, nothing below the base path, or missing or rejected
 * credentials.
 * Returns it with the option that helps, or `undefined`.
 */
export async function findObstacle(
  options: ContractOptions & { readonly baseUrl: string },
  cases: readonly ContractCase[],
): Promise<string | undefined> {
  const areas = new Set(cases.map(({ area }) => area))
  if ([...areas].every((area) => applicationAreas.has(area))) return undefined
  const base = managementAddress(options)
  const authorization = options.authorization ?? (options.token === undefined ? undefined : `Bearer ${options.token}`)
  const { timeout = '10s' } = options
  const timeoutMilliseconds = durationMilliseconds(timeout, 'timeout')
  const statuses = new Map<string, number>()
  for (const path of ['', '/health', '/info', '/metrics', '/prometheus']) {
    const address = addressOf(path, base, options.paths)
    const status = await statusOf(address, authorization, timeoutMilliseconds)
    if (status === 'late' && path === '') return `GET ${address} receives no response within ${timeout}`
    if (status === 'late' || status === undefined) return undefined
    statuses.set(path, status)
  }
  if ([...statuses.values()].every((status) => status === 404)) {
    return `there are no management endpoints at ${base}: pass their path with --base-path, or in the URL`
  }
  const isChecked = (path: string) => checkedEndpoint(path, areas)
  const refused = [...statuses].find(([path, status]) => (status === 401 || status === 403) && isChecked(path))
  if (refused === undefined) return undefined
  const [path, status] = refused
  const address = addressOf(path, base, options.paths)
  return authorization === undefined
    ? `GET ${address} requires credentials (${status}): pass --token or --user, or select other cases with --only`
    : `GET ${address} rejects these credentials (${status}): pass others with --token or --user`
}

/** Whether an endpoint has cases in these areas, or serves the general rules. */
function checkedEndpoint(path: string, areas: ReadonlySet<string>): boolean {
  switch (path) {
    case '':
      return areas.has('discovery')
    case '/health':
      return areas.has('health') || areas.has('probes') || areas.has('conventions')
    case '/prometheus':
      return areas.has('scrape')
    default:
      return areas.has(path.slice(1)) || areas.has('conventions')
  }
}

/** Returns the URL of the endpoints; the argument may be that URL itself. */
function managementAddress({ baseUrl, basePath, profile }: ContractOptions & { readonly baseUrl: string }): string {
  const { origin, pathname } = new URL(baseUrl)
  const below = basePath ?? (profile === 'spring' ? '/actuator' : '/management')
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  return origin + (below === '/' || path.endsWith(below) ? path : path + below)
}

/** Returns the URL of an endpoint; the option `paths` may have it at the root of the server. */
function addressOf(path: string, base: string, paths: ContractOptions['paths'] = {}): string {
  const moved = paths[path.slice(1)]
  if (moved === undefined) return base + path
  return moved.startsWith('/') ? new URL(moved, base).href : `${base}/${moved}`
}

/** Returns the status, `late` without a response in time, and `undefined` for what is not HTTP. */
async function statusOf(
  url: string,
  authorization: string | undefined,
  timeoutMilliseconds: number,
): Promise<number | 'late' | undefined> {
  const signal = AbortSignal.timeout(timeoutMilliseconds)
  try {
    const headers = authorization === undefined ? {} : { Authorization: authorization }
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status
  } catch {
    return signal.aborted ? 'late' : undefined
  }
}
