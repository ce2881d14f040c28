import { parseArgs } from 'node:util'
import { parseWords } from '../parse-words.ts'
import { type SortKey, sortKeys } from './top-keys.ts'

/** Parsed arguments of `upkeep top`. */
export interface TopArguments {
  readonly url: URL
  readonly authorization: string | undefined
  readonly intervalMilliseconds: number
  readonly json: boolean
  readonly once: boolean
  readonly sort: SortKey
  readonly filter: string
  /** Whether routes were asked for. */
  readonly withRoutes: boolean
}

const known = {
  interval: { type: 'string' },
  json: { type: 'boolean' },
  once: { type: 'boolean' },
  sort: { type: 'string' },
  filter: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const maxInterval = 86_400

/**
 * Parses the arguments; `undefined` for help.
 *
 * @throws TypeError naming the invalid argument.
 */
export function readTopArguments(
  words: readonly string[],
  { UPKEEP_TOKEN: token, UPKEEP_USER: user }: Readonly<Record<string, string | undefined>>,
): TopArguments | undefined {
  const { values, positionals } = parseWords(() =>
    parseArgs({ args: [...words], options: known, allowPositionals: true }),
  )
  if (values.help) return undefined
  const [address, more] = positionals
  if (more !== undefined) throw new TypeError(`expected one URL, received ${more} as well`)
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`expected a URL such as http://127.0.0.1:8081/management, received ${address ?? 'none'}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(
      'expected a URL without a name and password, which other users see; set UPKEEP_USER=name:password',
    )
  }
  const interval = Number(values.interval ?? 1)
  if (!(interval >= 1 && interval <= maxInterval)) {
    throw new TypeError(`--interval: expected seconds from 1 to ${maxInterval}, received ${values.interval}`)
  }
  const sort = sortKeys.find((key) => key === (values.sort ?? 'rate'))
  if (sort === undefined) throw new TypeError(`--sort: expected one of ${sortKeys.join(', ')}, received ${values.sort}`)
  const { json = false, once = false, filter = '' } = values
  const withRoutes = values.sort !== undefined || values.filter !== undefined
  const authorization = token ? `Bearer ${token}` : user ? `Basic ${Buffer.from(user).toString('base64')}` : undefined
  return { url, authorization, intervalMilliseconds: interval * 1_000, json, once, sort, filter, withRoutes }
}
