import { parseArgs } from 'node:util'
import type { ContractOptions, DetailsFor, ProfileName } from '../entries/contract.ts'
import { parseWords } from './parse-words.ts'

/** Parsed arguments of `upkeep contract`. */
interface ContractArguments {
  readonly options: ContractOptions & { readonly baseUrl: string }
  readonly reporters: readonly string[]
  /** The file for the reporter of a document. */
  readonly output: string | undefined
  readonly list: boolean
  readonly help: boolean
}

const known = {
  only: { type: 'string', multiple: true },
  level: { type: 'string' },
  profile: { type: 'string' },
  'base-path': { type: 'string' },
  path: { type: 'string', multiple: true },
  token: { type: 'string' },
  user: { type: 'string' },
  details: { type: 'string' },
  endpoints: { type: 'string', multiple: true },
  expose: { type: 'string', multiple: true },
  hook: { type: 'string' },
  route: { type: 'string' },
  relay: { type: 'string' },
  unsupported: { type: 'string', multiple: true },
  timeout: { type: 'string' },
  reporter: { type: 'string', multiple: true },
  output: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * Parses the arguments.
 *
 * @throws TypeError naming the invalid argument.
 */
export function readArguments(
  words: readonly string[],
  { UPKEEP_TOKEN, UPKEEP_USER }: Readonly<Record<string, string | undefined>>,
): ContractArguments {
  const { values, positionals } = parseWords(() =>
    parseArgs({ args: [...words], options: known, allowPositionals: true }),
  )
  const { list = false, help = false, reporter = [], output, details } = values
  const [baseUrl = list || help ? 'http://127.0.0.1' : undefined, more] = positionals
  if (baseUrl === undefined) throw new TypeError('expected a URL such as http://127.0.0.1:3000')
  if (more !== undefined) throw new TypeError(`expected one URL, received ${more} as well`)
  if (details !== undefined && !/^(never|when-authorized|always)$/.test(details)) {
    throw new TypeError(`--details: expected never, when-authorized or always, received ${details}`)
  }
  const { url, credentials } = splitCredentials(baseUrl)
  const user = values.user ?? credentials ?? UPKEEP_USER
  const level = values.level?.toUpperCase()
  if (level !== undefined && level !== 'MUST' && level !== 'SHOULD' && level !== 'MAY') {
    throw new TypeError(`--level: expected must, should or may, received ${values.level}`)
  }
  return {
    options: {
      baseUrl: url,
      ...(values.only && { only: listed(values.only) }),
      ...(level && { level }),
      // Validated by contract() itself.
      ...(values.profile !== undefined && { profile: values.profile as ProfileName }),
      ...(values['base-path'] !== undefined && { basePath: values['base-path'] }),
      ...(values.path && { paths: pathsFrom(values.path) }),
      ...(user
        ? { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
        : tokenFrom(values.token ?? UPKEEP_TOKEN)),
      ...(details !== undefined && { details: details as DetailsFor }),
      ...(values.endpoints && { endpoints: listed(values.endpoints) }),
      ...(values.expose && { expose: listed(values.expose) }),
      ...(values.hook !== undefined && { hook: values.hook }),
      ...(values.route !== undefined && { route: values.route }),
      ...(values.relay !== undefined && { relay: values.relay }),
      ...(values.unsupported && { unsupported: unsupportedFrom(values.unsupported) }),
      ...(values.timeout !== undefined && { timeout: values.timeout as NonNullable<ContractOptions['timeout']> }),
    },
    reporters: listed(reporter),
    output,
    list,
    help,
  }
}

/** Returns a URL without its name and password, which would be printed with it. */
function splitCredentials(baseUrl: string): { readonly url: string; readonly credentials: string | undefined } {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || url.username === '') return { url: baseUrl, credentials: undefined }
  const credentials = decodeCredentials(`${url.username}:${url.password}`)
  url.username = ''
  url.password = ''
  return { url: url.href.replace(/\/$/, ''), credentials }
}

function decodeCredentials(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Without the text, which has a password.
    throw new TypeError('expected a name and password in the URL that are percent-encoded as UTF-8')
  }
}

function listed(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(',')).filter((name) => name !== '')
}

/** Parses paths of endpoints. */
function pathsFrom(values: readonly string[]): NonNullable<ContractOptions['paths']> {
  const entries = listed(values).map((value) => {
    const [, id, path] = /^([^=]+)=(.+)$/.exec(value) ?? []
    if (id === undefined || path === undefined) {
      throw new TypeError(`--path: expected an endpoint and its path, such as prometheus=/metrics, received ${value}`)
    }
    return [id, path] as const
  })
  return Object.fromEntries(entries)
}

/** Parses abilities with reasons. */
function unsupportedFrom(values: readonly string[]): NonNullable<ContractOptions['unsupported']> {
  const unsupported: { rawTargets?: string } = {}
  for (const value of values) {
    const [, reason] = /^raw-targets=(.+)$/.exec(value) ?? []
    if (reason === undefined) throw new TypeError(`--unsupported: expected raw-targets=<reason>, received ${value}`)
    unsupported.rawTargets = reason
  }
  return unsupported
}

function tokenFrom(token: string | undefined): Pick<ContractOptions, 'token'> {
  return token === undefined || token === '' ? {} : { token }
}
