import {
  checkHeap,
  checkLiveness,
  checkRequests,
  type LivenessComponent,
  observeBeforeRoutes,
  openEndpoints,
} from '../checks.ts'
import type { DoctorArguments } from '../doctor-arguments.ts'
import { type CheckName, completeOutcomes, finding, type Outcome, ok, unchecked } from '../outcome.ts'
import { get, isHealthReport, isObject, isRepresentation, parseObject, type Received } from './request.ts'
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

/** Returns where the management endpoints are, of the URL of a service or of these. */
export function baseOf({ origin, pathname }: URL, basePath: string): string {
  const root = origin + pathname.replace(/\/$/, '')
  return root.endsWith(basePath) ? root : root + basePath
}

/**
 * Checks a running service over HTTP. Sends GET only: to its management endpoints, an address that does not exist, and
 * `--route`.
 *
 * @throws Error if it cannot be reached, or has no management endpoints at the base path.
 */
export async function inspectService(
  url: URL,
  { basePath, authorization, route, publicEndpoints, memory, timeoutMilliseconds }: DoctorArguments,
): Promise<readonly Outcome[]> {
  const base = baseOf(url, basePath)
  const application = base.slice(0, base.length - basePath.length)
  const read = (url: string) => get(url, { authorization, timeoutMilliseconds })
  const readAsStranger = (url: string) => get(url, { timeoutMilliseconds })

  const sentAt = Date.now()
  const health = await read(`${base}/health`).catch((error: Error) => {
    throw new Error(`${base}/health cannot be reached: ${error.message}`)
  })
  const clock = checkClock({ sentAt, receivedAt: Date.now(), date: health.headers.date })
  if (!isHealthReport(health)) throw new Error(`${base}/health ${describeOther(health)}`)
  const links = linksIn(await read(base).catch(() => undefined), base)
  const outcomes = [
    [clock],
    await attempt(['access'], () => checkAccess((id) => readAsStranger(links[id] ?? `${base}/${id}`), publicEndpoints)),
    await attempt(['liveness'], async () =>
      checkLivenessReport(await read(links['liveness'] ?? `${base}/health/liveness`)),
    ),
    await attempt(['requests', 'order', 'heap'], () =>
      checkMetrics(() => read(links['prometheus'] ?? `${base}/prometheus`), {
        get: (path) => readAsStranger(application + path).catch(() => undefined),
        ...{ route, memory },
      }),
    ),
  ].flat()
  return completeOutcomes(outcomes, {
    address: inside,
    copies: inside,
    versions: inside,
    readiness: inside,
    drain: inside,
    order: 'pass --route with a path of the application that responds to GET',
  })
}

/** Reports what fails as not checked. */
async function attempt(
  checks: readonly CheckName[],
  inspect: () => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  try {
    return await inspect()
  } catch (error) {
    return checks.map((check) => unchecked(check, (error as Error).message))
  }
}

/** Describes a response in place of the health report, with the option that may help. */
function describeOther({ status, headers: { location } }: Received): string {
  if (status === 401 || status === 403) return `responds with ${status}: pass --token`
  if (location !== undefined) return `redirects to ${location}: pass the URL that it redirects to`
  const what = status === 200 ? 'something other than a health report' : status
  return `responds with ${what}: pass the path of the endpoints with --base-path`
}

async function checkAccess(
  readAsStranger: (id: string) => Promise<Received>,
  publicEndpoints: ReadonlySet<string>,
): Promise<readonly Outcome[]> {
  const open: string[] = []
  for (const id of readable) {
    if (!publicEndpoints.has(id) && isRepresentation(await readAsStranger(id))) open.push(id)
  }
  return [open.length === 0 ? ok('access') : openEndpoints(open)]
}

function checkLivenessReport(received: Received): readonly Outcome[] {
  if (!isHealthReport(received)) return [unchecked('liveness', `it responds with ${received.status}`)]
  const components = parseObject(received.text)?.['components']
  if (!isObject(components)) {
    return [
      unchecked('liveness', "its components are not shown: pass --token, and set showComponents: 'when-authorized'"),
    ]
  }
  return checkLiveness(leavesOf(components))
}

/** Lists the components of a health report that have none themselves. */
function leavesOf(components: Readonly<Record<string, unknown>>, above = ''): readonly LivenessComponent[] {
  return Object.entries(components).flatMap(([name, component]): readonly LivenessComponent[] => {
    const path = above + name
    const { components: inner, details }: Readonly<Record<string, unknown>> = isObject(component) ? component : {}
    if (isObject(inner)) return leavesOf(inner, `${path}/`)
    // Indicators of databases have it in upkeep and in Spring Boot.
    return [{ path, isRemote: isObject(details) && ('database' in details || 'server' in details) }]
  })
}

/** An unknown address: a port that serves nothing but a management responds with an error document. */
function isApplication({ status, headers, text }: Received): boolean {
  const isDocument = headers['content-type'] === 'application/problem+json' || parseObject(text)?.['instance']
  return status !== 404 || !isDocument
}

interface MetricsCheck {
  readonly get: (path: string) => Promise<Received | undefined>
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
  return [
    heap,
    ...(await checkRequests({ get: getApplication, count, route, remedy: observeBeforeRoutes, isApplication })),
  ]
}

/** Returns the addresses of the endpoints by id, those that the service has moved included; of other hosts, none. */
function linksIn(received: Received | undefined, base: string): Readonly<Record<string, string>> {
  const links = parseObject(received?.text ?? '')?.['_links']
  const entries = Object.entries(isObject(links) ? links : {}).flatMap(([id, link]) => {
    const href = isObject(link) ? link['href'] : undefined
    if (typeof href !== 'string' || !URL.canParse(href, base)) return []
    const { pathname } = new URL(href, base)
    return [[id, new URL(pathname, base).href] as const]
  })
  return Object.fromEntries(entries)
}

const maxMilliseconds = 2_000

/** When a request was sent, and when its response was received, in milliseconds since the epoch. */
interface Exchange {
  readonly sentAt: number
  readonly receivedAt: number
  /** The field `Date`, which has whole seconds. */
  readonly date: string | undefined
}

/** Compares the clock of this machine with the field `Date`. */
function checkClock({ sentAt, receivedAt, date }: Exchange): Outcome {
  const server = Date.parse(date ?? '')
  if (Number.isNaN(server)) return unchecked('clock', 'the response has no Date')
  // The server has sent it within this second, after the request and before the response.
  const ahead = server - receivedAt
  const behind = sentAt - (server + 1_000)
  const difference = Math.max(ahead, behind)
  if (difference <= maxMilliseconds) return ok('clock')
  const seconds = Math.round(difference / 1_000)
  return finding(
    'clock',
    `the clock of the server is ${seconds} s ${ahead > behind ? 'ahead of' : 'behind'} that of this machine`,
    'timedatectl set-ntp true # on the host whose clock is wrong: containers have the clock of their host',
  )
}
