import { parseArgs } from 'node:util'
import { parseWords } from './parse-words.ts'

/** Where a command listens. */
export interface ListenAddress {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
}

/** Parsed arguments of `upkeep cluster`. */
interface ClusterArguments {
  readonly group: string | undefined
  readonly directory: string | undefined
  readonly json: boolean
  readonly listen: ListenAddress | undefined
  readonly help: boolean
}

const known = {
  group: { type: 'string' },
  directory: { type: 'string' },
  json: { type: 'boolean' },
  listen: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * Parses the arguments.
 *
 * @throws TypeError naming the invalid argument.
 */
export function readClusterArguments(words: readonly string[]): ClusterArguments {
  const { values, positionals } = parseWords(() =>
    parseArgs({ args: [...words], options: known, allowPositionals: true }),
  )
  const { group, directory, json = false, help = false } = values
  const [word] = positionals
  if (word !== undefined) throw new TypeError(`expected options only, received ${word}; a group is named by --group`)
  if (group === '') throw new TypeError('--group: expected the name or id of a group, received an empty string')
  if (directory === '') throw new TypeError('--directory: expected a directory, received an empty string')
  const listen = values.listen === undefined ? undefined : addressFrom(values.listen)
  if (json && listen !== undefined) throw new TypeError('--json: not available with --listen, which serves all formats')
  return { group, directory, json, listen, help }
}

/** Parses a host and a port. The host has to be named, so that nothing listens on all interfaces unintentionally. */
function addressFrom(text: string): ListenAddress {
  const [, bracketed, name, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? name
  const port = Number(digits)
  if (host === undefined || !(port <= 65_535)) {
    throw new TypeError(`--listen: expected a host and a port, such as 127.0.0.1:9464, received ${text}`)
  }
  return { host, port }
}
