import { openEndpoints } from '../check-access.ts'
import { checkLiveness } from '../check-components.ts'
import { checkHeap } from '../check-heap.ts'
import { checkRequests, observeBeforeRoutes } from '../check-requests.ts'
import type { DoctorArguments } from '../doctor-arguments.ts'
import { completeOutcomes, type Outcome, ok, unchecked } from '../outcome.ts'
import { checkClock } from './check-clock.ts'
import { failureText, get, type Received } from './request.ts'
import { memoryLimits, observedRequests, readSamples } from './scrape.ts'

/** Endpoints whose GET shows more than a status, and takes no dump or profile. Those of Spring Boot are among them. */
const readable = [
  'info',
  'metrics',
  'prometheus',
  'loggers',
  'env',
  'configprops',
  'beans',
  'mappings',
  'httpexchanges',
]

const inside = 'it cannot be seen from outside: run upkeep doctor <file>'

/**
 * Checks a running service over HTTP. Sends GET only: to its management endpoints, an address that does not exist, and
 * `--route`.
 *
 * @throws Error if it cannot be reached, or has no management endpoints at the base path.
 */
export async function inspectService(
  service: URL,
  { basePath, authorization, route, publicEndpoints, memory, timeoutMilliseconds }: DoctorArguments,
): Promise<readonly Outcome[]> {
  const root = service.href.replace(/\/$/, '')
  const base = root.endsWith(basePath) ? root : root + basePath
  const application = base.slice(0, base.length - basePath.length)
  const read = (url: string) => get(url, { authorization, timeoutMilliseconds })
  const readAsStranger = (url: string) => get(url, { timeoutMilliseconds })

  const sentAt = Date.now()
  const health = await read(`${base}/health`).catch((error) => {
    throw new Error(`${base}/health cannot be reached: ${failureText(error)}`)
  })
  const clock = checkClock({ sentAt, receivedAt: Date.now(), date: health.headers.get('date') })
  if (componentsIn(health) === undefined) {
    throw new Error(`${base}/health responds with ${health.status}: pass the path of the endpoints with --base-path`)
  }
  const links = linksIn(await read(base), base)
  const outcomes = [
    clock,
    await checkAccess((id) => readAsStranger(links[id] ?? `${base}/${id}`), publicEndpoints),
    ...checkLivenessReport(await read(links['liveness'] ?? `${base}/health/liveness`)),
    ...(await checkMetrics(() => read(links['prometheus'] ?? `${base}/prometheus`), {
      get: (path) => readAsStranger(application + path),
      ...{ route, memory },
    })),
  ]
  return completeOutcomes(outcomes, {
    address: inside,
    copies: inside,
    versions: inside,
    readiness: inside,
    drain: inside,
    order: 'pass --route with a path of the application that responds to GET',
  })
}

async function checkAccess(
  readAsStranger: (id: string) => Promise<Received>,
  publicEndpoints: ReadonlySet<string>,
): Promise<Outcome> {
  const open: string[] = []
  for (const id of readable) {
    if (!publicEndpoints.has(id) && (await readAsStranger(id)).status === 200) open.push(id)
  }
  return open.length === 0 ? ok('access') : openEndpoints(open)
}

function checkLivenessReport(received: Received): readonly Outcome[] {
  const components = componentsIn(received)
  if (components === undefined) return [unchecked('liveness', `it responds with ${received.status}`)]
  if (components === 'hidden') {
    return [
      unchecked('liveness', "its components are not shown: pass --token, and set showComponents: 'when-authorized'"),
    ]
  }
  return checkLiveness(
    Object.entries(components).map(([path, { details }]) => ({
      path,
      // Indicators of databases have it in upkeep and in Spring Boot.
      isRemote: details?.['database'] !== undefined || details?.['server'] !== undefined,
    })),
  )
}

interface MetricsCheck {
  readonly get: (path: string) => Promise<Received>
  readonly route: string | undefined
  readonly memory: number | undefined
}

async function checkMetrics(
  scrape: () => Promise<Received>,
  { get: getApplication, route, memory }: MetricsCheck,
): Promise<readonly Outcome[]> {
  const { status, text } = await scrape()
  if (status !== 200) {
    const reason = `the scrape responds with ${status}: expose prometheus, and pass --token if it requires one`
    return (['requests', 'order', 'heap'] as const).map((check) => unchecked(check, reason))
  }
  const limits = memoryLimits(readSamples(text))
  const heap =
    limits === undefined
      ? unchecked('heap', 'the scrape has no limits of memory')
      : checkHeap({ heap: limits.heap, container: memory ?? limits.total })
  const count = async () => observedRequests(readSamples((await scrape()).text))
  return [heap, ...(await checkRequests({ get: getApplication, count, route, remedy: observeBeforeRoutes }))]
}

type Components = Readonly<Record<string, { readonly details?: Readonly<Record<string, unknown>> }>>

/** Returns the components of a health report, `undefined` if it is not one. */
function componentsIn({ text }: Received): Components | 'hidden' | undefined {
  const report = parseObject(text)
  if (typeof report?.['status'] !== 'string') return undefined
  const { components } = report
  return typeof components === 'object' && components !== null ? (components as Components) : 'hidden'
}

/** Returns the addresses of the endpoints by id, those that the service has moved included; of other hosts, none. */
function linksIn({ text }: Received, base: string): Readonly<Record<string, string>> {
  const links = parseObject(text)?.['_links']
  const entries = Object.entries(typeof links === 'object' && links !== null ? links : {}).flatMap(([id, link]) => {
    const href: unknown = typeof link === 'object' && link !== null ? Reflect.get(link, 'href') : undefined
    if (typeof href !== 'string' || !URL.canParse(href, base)) return []
    const { pathname } = new URL(href, base)
    return [[id, new URL(pathname, base).href] as const]
  })
  return Object.fromEntries(entries)
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // Safe: an object that is not null.
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
