import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseDuration } from '../../base/duration.ts'
import { parseWords } from '../parse-words.ts'

/** A configured service. */
export interface ServiceSettings {
  readonly name: string
  readonly url: URL
  readonly authorization: string | undefined
  readonly timeoutMilliseconds: number
}

/** Parsed arguments of `upkeep mcp`. */
interface McpArguments {
  readonly services: readonly ServiceSettings[]
  readonly allowsChanges: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const known = {
  'allow-changes': { type: 'boolean' },
  'token-file': { type: 'string', multiple: true },
  timeout: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const serviceName = /^[a-z\d][a-z\d._-]{0,39}$/i

/**
 * Parses the arguments; `undefined` for help.
 *
 * @throws TypeError naming the invalid argument.
 */
export function readMcpArguments(words: readonly string[], environment: Environment): McpArguments | undefined {
  const { values, positionals } = parseWords(() =>
    parseArgs({ args: [...words], options: known, allowPositionals: true }),
  )
  if (values.help) return undefined
  if (positionals.length === 0) {
    throw new TypeError('expected a URL such as orders=http://127.0.0.1:8081/management, received none')
  }
  const timeout = values.timeout ?? '10s'
  const timeoutMilliseconds = parseDuration(timeout) ?? 0
  if (timeoutMilliseconds <= 0) throw new TypeError(`--timeout: expected a duration such as 10s, received ${timeout}`)
  const places = positionals.map(readPlace)
  const names = places.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new TypeError(`two services are named ${twice}; name them: first=http://…`)
  const authorizationOf = readTokens(values['token-file'] ?? [], names, environment)
  const services = places.map((place) => ({
    ...place,
    authorization: authorizationOf(place.name),
    timeoutMilliseconds,
  }))
  return { services, allowsChanges: values['allow-changes'] === true }
}

/** Reads `name=url`; without a name that is the host and the port. */
function readPlace(word: string): { readonly name: string; readonly url: URL } {
  const [, given, address = word] = /^([^=:/?#]*)=(.*)$/.exec(word) ?? []
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`expected a URL such as http://127.0.0.1:8081/management, received ${address}`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new TypeError('expected a URL without a password or query, which other users see; set UPKEEP_TOKEN')
  }
  const name = given ?? url.host.replace(/[^a-z\d.-]/gi, '-').replace(/^[.-]+/, '')
  if (!serviceName.test(name)) {
    throw new TypeError(`${address}: expected a name of at most 40 letters, digits, ".", "_" and "-", received ${name}`)
  }
  return { name, url }
}

/** Returns the header field for a service: of its own token file, of that for all, or of the environment. */
function readTokens(files: readonly string[], names: readonly string[], environment: Environment) {
  const tokens = new Map(files.map((word) => readTokenFile(word, names)))
  const { UPKEEP_TOKEN: token, UPKEEP_USER: user } = environment
  const other = token ? `Bearer ${token}` : user ? `Basic ${Buffer.from(user).toString('base64')}` : undefined
  return (name: string) => tokens.get(name) ?? tokens.get('') ?? other
}

function readTokenFile(word: string, names: readonly string[]): readonly [name: string, authorization: string] {
  const [, given = '', named = ''] = /^([^=]*)=(.*)$/.exec(word) ?? []
  const [name, file] = names.includes(given) ? [given, named] : ['', word]
  try {
    const token = readFileSync(file, 'utf8').trim()
    if (/^[\x21-\x7e]+$/.test(token)) return [name, `Bearer ${token}`]
  } catch (error) {
    throw new TypeError(`--token-file: ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  throw new TypeError(`--token-file: expected that ${file} contains a token of visible ASCII characters alone`)
}
