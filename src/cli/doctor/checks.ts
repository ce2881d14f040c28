import { finding, type Outcome, ok, unchecked } from './outcome.ts'

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
