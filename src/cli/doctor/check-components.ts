import { finding, type Outcome, ok, unchecked } from './outcome.ts'

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
