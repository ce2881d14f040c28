import { parseArgs } from 'node:util'
import { parseDuration } from '../../base/duration.ts'
import { maxDelay } from '../../base/timers.ts'
import { parseWords } from '../parse-words.ts'

/** What is examined: a running service, a program that is started, or the files of a project. */
type Subject =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'program'; readonly file: string }
  | { readonly kind: 'project' }

/** Parsed arguments of `upkeep doctor`. */
export interface DoctorArguments {
  readonly subject: Subject
  readonly basePath: string
  readonly authorization: string | undefined
  /** A path of the application that responds to GET. */
  readonly route: string | undefined
  /** Endpoints that everyone may read. */
  readonly publicEndpoints: ReadonlySet<string>
  readonly graceMilliseconds: number | undefined
  /** The memory of the container, in bytes. */
  readonly memory: number | undefined
  readonly inContainer: boolean
  readonly timeoutMilliseconds: number
  /** The version whose changes are searched in the files of the project. */
  readonly upgradeFrom: string | undefined
  readonly json: boolean
  readonly help: boolean
}

const known = {
  token: { type: 'string' },
  'base-path': { type: 'string' },
  route: { type: 'string' },
  public: { type: 'string', multiple: true },
  grace: { type: 'string' },
  memory: { type: 'string' },
  container: { type: 'boolean' },
  timeout: { type: 'string' },
  upgrade: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * Parses the arguments.
 *
 * @throws TypeError naming the invalid argument.
 */
export function readDoctorArguments(
  words: readonly string[],
  { UPKEEP_TOKEN }: Readonly<Record<string, string | undefined>>,
): DoctorArguments {
  const { values, positionals } = parseWords(() =>
    parseArgs({ args: [...words], options: known, allowPositionals: true }),
  )
  const [first, more] = positionals
  if (more !== undefined) throw new TypeError(`expected one URL or file, received ${more} as well`)
  if (values.upgrade !== undefined && first !== undefined)
    throw new TypeError(`--upgrade: expected no URL or file: it reads the folder, received ${first}`)
  const token = values.token ?? UPKEEP_TOKEN
  const subject = subjectFrom(first)
  const basePath = values['base-path'] ?? '/management'
  for (const [option, path] of [['--base-path', basePath] as const, ['--route', values.route ?? '/'] as const]) {
    if (!path.startsWith('/')) throw new TypeError(`${option}: expected a path such as /orders, received ${path}`)
  }
  return {
    subject,
    basePath: basePath === '/' ? '' : basePath.replace(/\/$/, ''),
    authorization: token ? `Bearer ${token}` : credentialsOf(subject),
    route: values.route,
    publicEndpoints: new Set((values.public ?? []).flatMap((each) => each.split(','))),
    graceMilliseconds: values.grace === undefined ? undefined : durationFrom('--grace', values.grace),
    memory: values.memory === undefined ? undefined : bytesFrom(values.memory),
    inContainer: values.container ?? false,
    timeoutMilliseconds: durationFrom('--timeout', values.timeout ?? '30s'),
    upgradeFrom: values.upgrade,
    json: values.json ?? false,
    help: values.help ?? false,
  }
}

function subjectFrom(word: string | undefined): Subject {
  if (word === undefined) return { kind: 'project' }
  if (!/^[a-z][\w+.-]*:\/\//i.test(word)) return { kind: 'program', file: word }
  const url = URL.canParse(word) ? new URL(word) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`expected a URL such as http://127.0.0.1:3000, received ${word}`)
  }
  return { kind: 'url', url }
}

/** Returns the name and password in a URL as a header field. */
function credentialsOf(subject: Subject): string | undefined {
  if (subject.kind !== 'url' || subject.url.username === '') return undefined
  const { username, password } = subject.url
  return `Basic ${Buffer.from(decodeURIComponent(`${username}:${password}`)).toString('base64')}`
}

function durationFrom(option: string, text: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined || milliseconds > maxDelay)
    throw new TypeError(`${option}: expected a duration such as 30s, received ${text}`)
  return milliseconds
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, ki: 2 ** 10, mi: 2 ** 20, gi: 2 ** 30 }

/** Parses a quantity as Kubernetes writes it. */
function bytesFrom(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(|[kmg]i?)$/i.exec(text) ?? []
  if (number === undefined) throw new TypeError(`--memory: expected a size such as 512Mi, received ${text}`)
  return Number(number) * (units[unit.toLowerCase()] ?? 1)
}
