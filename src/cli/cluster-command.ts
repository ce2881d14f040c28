import { existsSync } from 'node:fs'
import { type ClusterReader, listClusters, readCluster } from '../entries/cluster.ts'
import { readClusterArguments } from './cluster-arguments.ts'
import { groupText, showGroup } from './cluster-list.ts'
import { clusterHelp } from './help.ts'
import type { Output } from './output.ts'

type Arguments = ReturnType<typeof readClusterArguments>

/**
 * Runs `upkeep cluster`. Returns the exit code: 0 after it has listed or served, 1 if there is no such group, it cannot
 * be read, or the address is not available, 2 if an argument is invalid.
 */
export async function runCluster(words: readonly string[], output: Output): Promise<number> {
  const fail = (code: number, error: unknown) => {
    output.writeError(`upkeep cluster: ${messageOf(error)}\n${code === 2 ? 'See upkeep cluster --help.\n' : ''}`)
    return code
  }
  let given: Arguments
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

async function run({ group, directory, json, listen }: Arguments, output: Output): Promise<void> {
  if (directory !== undefined && !existsSync(directory)) throw new Error(`--directory: ${directory} does not exist`)
  const report = (message: string, error?: unknown): void =>
    output.writeError(`upkeep cluster: ${message}${error === undefined ? '' : `: ${messageOf(error)}`}\n`)
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
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^readCluster: /, '')
}
