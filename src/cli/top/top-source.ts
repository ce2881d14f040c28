import { vitalNames } from '../../console/documents.ts'
import { get } from '../doctor/service/request.ts'
import { actuatorSource } from './actuator-source.ts'
import {
  type JsonObject,
  noVitals,
  numberOf,
  numbersOf,
  objectOf,
  objectsIn,
  type ReadDocument,
  routeValues,
  type TopSample,
  type TopSource,
  textOf,
  textsIn,
} from './top-sample.ts'

/** A failed request. `status` is that of the response, if there was one. */
export class ServiceError extends Error {
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** Returns a function that reads documents of a service. */
export function createReader(
  origin: string,
  options: {
    readonly authorization: string | undefined
    readonly timeoutMilliseconds: number
    readonly signal?: AbortSignal
  },
): ReadDocument {
  return async (path) => {
    const url = `${origin}${path}`
    const { status, headers, text } = await get(url, { ...options, accept: 'application/json' }).catch((error) => {
      throw new ServiceError(`${url}: ${error instanceof Error ? error.message : error}`)
    })
    const fail = (what: string) => new ServiceError(`${url}: ${what}`, status)
    if (status === 404) return undefined
    if (status === 401)
      throw fail(`responded with 401: ${options.authorization ? 'not authorized' : 'set UPKEEP_TOKEN'}`)
    if (status >= 300 && status < 400) throw fail(`redirects to ${headers.location ?? 'nowhere'}`)
    // A service that is DOWN responds with 503, and its health.
    const isHealth = status === 503 && path.includes('/health')
    if (status !== 200 && !isHealth) throw fail(`responded with ${status}`)
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return objectOf(value)
    } catch {
      // Described below.
    }
    throw fail(`expected a JSON object, received ${headers['content-type'] ?? 'no content type'}`)
  }
}

/**
 * Finds the console of a service, or its metrics and health, at the base path of the management or at the console.
 *
 * @throws ServiceError if there is neither, or a request fails.
 */
export async function findSource({ origin, pathname }: URL, read: ReadDocument, now: () => number): Promise<TopSource> {
  const path = pathname.replace(/\/$/, '')
  const given = path.endsWith('/console') ? path.slice(0, -'/console'.length) : path
  const bases = path === '' ? ['/management', '/actuator'] : [given]
  for (const console of [...bases.map((base) => `${base}/console`), ...(path === given && path !== '' ? [path] : [])]) {
    const overview = await read(`${console}/overview`).catch(ignoreOtherPages)
    if (overview?.['vitals'] !== undefined) return consoleSource(read, console)
  }
  for (const base of bases) {
    const health = await read(`${base}/health`).catch(ignoreOtherPages)
    const metrics = await read(`${base}/metrics`).catch(ignoreOtherPages)
    if (textOf(health?.['status']) !== undefined || Array.isArray(metrics?.['names'])) {
      return actuatorSource(read, base, now)
    }
  }
  throw new ServiceError(`${origin}: no console, metrics or health below ${bases.join(' or ')}`)
}

/** Some servers respond with a page, or refuse the method, at every path. */
function ignoreOtherPages(error: unknown): undefined {
  const status = error instanceof ServiceError ? error.status : undefined
  if (status === undefined || status >= 500 || status === 401 || status === 403) throw error
}

function consoleSource(read: ReadDocument, path: string): TopSource {
  return {
    async read({ member }) {
      const query = member === undefined ? '' : `member=${encodeURIComponent(member)}`
      const [overview, requests] = await Promise.all([
        read(`${path}/overview${query && `?${query}`}`),
        read(`${path}/requests?limit=0${query && `&${query}`}`),
      ])
      if (overview === undefined) {
        const what = member === undefined ? `${path}/overview: responded with 404` : `the member ${member} is gone`
        throw new ServiceError(what, 404)
      }
      return sampleFrom(overview, requests ?? {})
    },
  }
}

function sampleFrom(overview: JsonObject, requests: JsonObject): TopSample {
  const [application, health] = [objectOf(overview['application']), objectOf(overview['health'])]
  const texts = Object.entries(application).filter(([, value]) => typeof value === 'string')
  const { pid, startedAt } = numbersOf(application, ['pid', 'startedAt'])
  const components = Object.entries(objectOf(health['components']))
  return {
    at: numberOf(overview['now']) ?? 0,
    source: 'console',
    application: { ...Object.fromEntries(texts), pid: pid ?? undefined, startedAt: startedAt ?? undefined },
    health: {
      status: textOf(health['status']) ?? 'UNKNOWN',
      liveness: textOf(health['liveness']),
      readiness: textOf(health['readiness']),
      components: Object.fromEntries(components.map(([path, status]) => [path, textOf(status) ?? 'UNKNOWN'])),
    },
    vitals: { ...noVitals, ...numbersOf(objectOf(overview['vitals']), vitalNames) },
    limits: numbersOf(objectOf(overview['limits']), ['memory', 'heap', 'cpu']),
    findings: objectsIn(overview['findings']).map(({ severity, text }) => ({
      severity: severity === 'critical' ? severity : 'warning',
      text: textOf(text) ?? '',
    })),
    routes: objectsIn(requests['routes']).map((route) => ({
      ...{ method: textOf(route['method']) ?? '', route: textOf(route['route']) ?? '' },
      ...numbersOf(route, routeValues),
    })),
    members: textsIn(overview['members']),
  }
}
