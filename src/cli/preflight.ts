import type { ContractCase, ContractOptions } from '../entries/contract.ts'

/** Areas whose cases are about the application, and not about its management endpoints. */
const applicationAreas: ReadonlySet<string> = new Set(['webhook', 'trace'])

/**
 * Finds what would make most cases fail for one reason: nothing below the base path, or endpoints that require credentials when
 * there are none or wrong ones. Returns that reason with the option that helps, or `undefined`.
 */
export async function findObstacle(
  options: ContractOptions & { readonly baseUrl: string },
  cases: readonly ContractCase[],
): Promise<string | undefined> {
  const areas = new Set(cases.map(({ area }) => area))
  if ([...areas].every((area) => applicationAreas.has(area))) return undefined
  const base = managementAddress(options)
  const authorization = options.authorization ?? (options.token === undefined ? undefined : `Bearer ${options.token}`)
  const statuses = new Map<string, number>()
  for (const path of ['', '/health', '/info', '/metrics', '/prometheus']) {
    const status = await statusOf(base + path, authorization)
    if (status === undefined) return undefined
    statuses.set(path, status)
  }
  if ([...statuses.values()].every((status) => status === 404)) {
    return `there are no management endpoints at ${base}: pass where they are with --base-path, or as the path of the address`
  }
  const isChecked = (path: string) => checkedEndpoint(path, areas)
  const refused = [...statuses].find(([path, status]) => (status === 401 || status === 403) && isChecked(path))
  if (refused === undefined) return undefined
  const [path, status] = refused
  return authorization === undefined
    ? `GET ${base}${path} requires credentials (${status}): pass --token or --user, or select other cases with --only`
    : `GET ${base}${path} refuses these credentials (${status}): pass others with --token or --user`
}

/** Whether an endpoint has cases of its own among the areas, or is one of those that all conventions are checked at. */
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

/** Where the endpoints are; the address may be that of the endpoints themselves. */
function managementAddress({ baseUrl, basePath, profile }: ContractOptions & { readonly baseUrl: string }): string {
  const { origin, pathname } = new URL(baseUrl)
  const below = basePath ?? (profile === 'spring' ? '/actuator' : '/management')
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  return origin + (below === '/' || path.endsWith(below) ? path : path + below)
}

async function statusOf(url: string, authorization: string | undefined): Promise<number | undefined> {
  try {
    const headers = authorization === undefined ? {} : { Authorization: authorization }
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    await response.body?.cancel()
    return response.status
  } catch {
    return undefined
  }
}
