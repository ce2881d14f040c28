import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { messageOf } from '../base/callback.ts'
import { type ClusterReader, listClusters, readCluster } from '../entries/cluster.ts'
import { groupText, showGroup } from './cluster-list.ts'
import type { ListenAddress } from './cluster-server.ts'
import { clusterHelp } from './help.ts'
import type { Output } from './output.ts'
import { parseWords } from './parse-words.ts'

/**
 * Runs `upkeep cluster`. Returns the exit code: 0 after it has listed or served, 1 if there is no such group, it cannot
 * be read, or the address is not available, 2 if an argument is invalid.
 */
export async function runCluster(words: readonly string[], output: Output): Promise<number> {
  const fail = (code: number, error: unknown) => {
    output.writeError(`upkeep cluster: ${describe(error)}\n${code === 2 ? 'See upkeep cluster --help.\n' : ''}`)
    return code
  }
  let given: ClusterArguments
  try {
    given = readClusterArguments(words)
  } catch (error) {
    return fail(2, error)
  }
  try {
    if (given.help) output.write(clusterHelp)
    else await run(given, output)
    return 0
  } catch (error) {
    return fail(1, error)
  }
}

async function run({ group, directory, json, listen }: ClusterArguments, output: Output): Promise<void> {
  if (directory !== undefined && !existsSync(directory)) throw new Error(`--directory: ${directory} does not exist`)
  const report = (message: string, error?: unknown): void =>
    output.writeError(`upkeep cluster: ${message}${error === undefined ? '' : `: ${describe(error)}`}\n`)
  const options = { group, directory, report }
  if (listen !== undefined) {
    const { serveCluster } = await import('./cluster-server.ts')
    await serveCluster(readCluster(options), listen, { report, write: output.write })
  } else if (group !== undefined) {
    const shown = await readGroup(readCluster(options))
    output.write(json ? jsonText(shown) : groupText(shown))
  } else {
    const groups = listClusters(options).map((each) => showGroup(each))
    const none = directory === undefined ? 'This user has no groups.\n' : `There are no groups in ${directory}.\n`
    output.write(json ? jsonText({ groups }) : groups.map(groupText).join('\n') || none)
  }
}

async function readGroup({ id, measurements, members, refused }: ClusterReader) {
  await measurements.refresh?.()
  return showGroup({ id, members: members() }, refused())
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** Returns the message without the name of the function: the command has options of the same names. */
function describe(error: unknown): string {
  return messageOf(error).replace(/^readCluster: /, '')
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
