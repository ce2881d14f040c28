import { setTimeout as wait } from 'node:timers/promises'
import { finding, type Outcome, ok, unchecked } from './outcome.ts'
import type { Received } from './service/request.ts'

/** The finding of endpoints that everyone can read. */
export function openEndpoints(ids: readonly string[]): Outcome {
  return finding(
    'access',
    `everyone who reaches the service can read ${ids.join(', ')}`,
    "createManagement({ access: { '*': 'authorized', health: 'public' }, authorize: bearerToken(process.env.TOKEN) })",
  )
}

/** A component of liveness. */
export interface LivenessComponent {
  readonly path: string
  /** Whether its indicator is known to request another system. */
  readonly isRemote: boolean
}

/** The beginnings of words by which people name components of databases, caches and brokers. */
const remoteWords = [
  'db',
  'database',
  'datasource',
  'sql',
  'postgres',
  'pg',
  'mysql',
  'maria',
  'mongo',
  'redis',
  'mssql',
].concat('amqp', 'rabbit', 'kafka', 'nats', 'elastic')

/** The indicators that concern this process only. */
const localName = /^(?:livenessState|readinessState|ping|eventLoop|memory|containerMemory|diskSpace|ssl|cluster)$/

/** Looks for components of liveness that depend on another system: a restart would not mend it. */
export function checkLiveness(components: readonly LivenessComponent[]): readonly Outcome[] {
  const remote = components.filter(({ path, isRemote }) => isRemote || isRemoteName(path))
  const unknown = components.filter((each) => !remote.includes(each) && !localName.test(each.path))
  const findings = remote.map(({ path }) =>
    finding(
      'liveness',
      `liveness contains ${path}, which requests another system: if that is away, every instance is restarted`,
      `health: { groups: { readiness: { include: ['readinessState', '${path}'] } } } // and remove it from liveness`,
    ),
  )
  const rest = unknown.map(({ path }) =>
    unchecked('liveness', `what ${path} does is not known: it is a check of the application`),
  )
  return findings.length + rest.length > 0 ? [...findings, ...rest] : [ok('liveness')]
}

function isRemoteName(path: string): boolean {
  const words = path.split(/[^A-Za-z]+|(?=[A-Z])/).map((word) => word.toLowerCase())
  return words.some((word) => remoteWords.some((name) => (name.length > 3 ? word.startsWith(name) : word === name)))
}

/** What buffers, stacks, code and the rest of the process need beside the heap, as a share of the container. */
const [minimumRest, recommendedRest] = [0.1, 0.25]

/** Compares the limit of the heap with the memory of the container, in bytes. */
export function checkHeap({ heap, container }: { readonly heap: number; readonly container: number }): Outcome {
  if (heap <= container * (1 - minimumRest)) return ok('heap')
  const recommended = Math.max(1, Math.floor((container * (1 - recommendedRest)) / 2 ** 20))
  return finding(
    'heap',
    `the heap may grow to ${mebibytes(heap)} in ${mebibytes(container)} of memory: the process would be killed before`,
    `NODE_OPTIONS=--max-old-space-size=${recommended}`,
  )
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}

interface RequestsCheck {
  /** Sends GET for a path of the application. Returns `undefined` if nothing responds. */
  readonly get: (path: string) => Promise<Received | undefined>
  /** Returns how many requests were counted; `undefined` if no meter of requests exists. */
  readonly count: () => Promise<number | undefined>
  /** A path that the application serves. */
  readonly route: string | undefined
  /** The line that has requests observed. */
  readonly remedy: string
  /** Whether a response to an unknown address can be that of the application. */
  readonly isApplication?: (received: Received) => boolean
}

/** How often, and at which interval, the count is read: requests are counted when their response has been closed. */
const [reads, pauseMilliseconds] = [10, 50]

/** Where the application has code for its management. */
export const observeBeforeRoutes = 'app.use(observe(management)) // before the routes'

/** Sends requests and looks whether they are counted: for an address that does not exist, and for `route`. */
export async function checkRequests({
  get,
  count,
  route,
  remedy,
  isApplication = () => true,
}: RequestsCheck): Promise<readonly Outcome[]> {
  const both = (reason: string) => [unchecked('requests', reason), unchecked('order', reason)]
  const request = async (path: string) => {
    const before = (await count()) ?? 0
    const received = await get(path)
    for (let read = 0; read < reads; read += 1) {
      if (((await count()) ?? 0) > before) return { received, isCounted: true }
      await wait(pauseMilliseconds)
    }
    return { received, isCounted: false }
  }

  const isBusy = await countsByItself(count)
  const unknown = await request(`/upkeep-doctor/${crypto.randomUUID()}`)
  const hasMeter = (await count()) !== undefined
  const withoutMeter = [
    finding('requests', 'the metrics have no http.server.requests', remedy),
    unchecked('order', 'no request is observed'),
  ]
  if (route === undefined) {
    if (hasMeter) return [ok('requests')]
    if (unknown.received === undefined) return both('a request receives no response over HTTP/1.1')
    if (isApplication(unknown.received)) return withoutMeter
    return both('no request was observed yet, and this may be a port of the management only: pass --route')
  }
  if (isBusy) return [ok('requests'), unchecked('order', 'other requests are counted at the same time')]
  const { received, isCounted } = await request(route)
  if (isCounted) return [ok('requests'), ok('order')]
  if (received === undefined) return both(`a request for ${route} receives no response over HTTP/1.1`)
  if (received.status >= 400) return both(`${route} responds with ${received.status}: pass a path that exists`)
  if (unknown.isCounted) {
    const problem = `a request for ${route} is not observed, one for an unknown address is`
    return [ok('requests'), finding('order', problem, remedy)]
  }
  if (!hasMeter) return withoutMeter
  return [finding('requests', `a request for ${route} is not in http.server.requests`, remedy)]
}

/** Whether the service receives other requests meanwhile, so that a count is not that of this check. */
async function countsByItself(count: RequestsCheck['count']): Promise<boolean> {
  const before = await count()
  await wait(pauseMilliseconds * 4)
  return (await count()) !== before
}
