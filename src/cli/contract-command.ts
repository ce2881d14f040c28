import { type ContractCase, type ContractOptions, contract } from '../entries/contract.ts'
import { readArguments } from './contract-arguments.ts'
import { openReporters } from './contract-reporters.ts'
import { contractHelp } from './help.ts'
import { coloursFor, type Output } from './output.ts'
import { findObstacle } from './preflight.ts'
import type { CaseResult } from './reporter.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs `upkeep contract`. Returns the exit code: 0 if all cases hold or are skipped, 1 if one is broken, 2 if the
 * service cannot be reached or the arguments are invalid.
 */
export async function runContract(words: readonly string[], environment: Environment, output: Output): Promise<number> {
  const refuse = (why: string) => {
    output.writeError(`upkeep contract: ${why}\nSee upkeep contract --help.\n`)
    return 2
  }
  try {
    const { options, reporters, output: file, list, help } = readArguments(words, environment)
    if (help) {
      output.write(contractHelp)
      return 0
    }
    if (list) {
      output.write(listing(reporters, options))
      return 0
    }
    const cases = contract(options)
    const reporter = openReporters({ names: reporters, file }, output.write, coloursFor(environment, output.isTerminal))
    const unreachable = await whyUnreachable(options.baseUrl)
    if (unreachable !== undefined) return refuse(`${options.baseUrl} cannot be reached: ${unreachable}`)
    const obstacle = await findObstacle(options, cases)
    if (obstacle !== undefined) return refuse(obstacle)
    reporter.begin(options.baseUrl, cases)
    const all = await runAll(cases, reporter.report)
    reporter.end(all)
    return all.some(({ outcome }) => outcome.kind === 'broken') ? 1 : 0
  } catch (error) {
    // Invalid options: faults of the service are outcomes instead of errors.
    if (error instanceof TypeError || error instanceof RangeError) return refuse(error.message)
    throw error
  }
}

/** Lists the cases without requests: as lines, as JSON, or as the Markdown tables of the documentation. */
function listing([form]: readonly string[], options: ContractOptions): string {
  const cases = contract(options)
  if (form === 'json') return `${JSON.stringify(cases, undefined, 2)}\n`
  if (form === 'markdown') return caseTable(cases, contract({ ...options, profile: 'spring' }))
  return cases.map(({ title }) => `${title}\n`).join('')
}

/** Runs the cases one after the other, since some change the state of the service. */
async function runAll(
  cases: readonly ContractCase[],
  onResult: (result: CaseResult, number: number) => void,
): Promise<readonly CaseResult[]> {
  const all: CaseResult[] = []
  for (const one of cases) {
    const began = performance.now()
    const result = { one, outcome: await one.check(), milliseconds: performance.now() - began }
    all.push(result)
    onResult(result, all.length)
  }
  return all
}

/** Returns why no connection can be opened, or `undefined`. */
async function whyUnreachable(address: string): Promise<string | undefined> {
  const { connect } = await import('node:net')
  const url = new URL(address)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, timeout: 10_000 })
    const end = (why: string | undefined) => {
      socket.destroy()
      resolve(why)
    }
    socket.on('connect', () => end(undefined))
    socket.on('timeout', () => end('no connection within 10 s'))
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.message || error.code || 'no connection'))
  })
}

/** Returns the cases as Markdown tables, one per area; those that also apply to a Spring Boot Actuator are marked. */
export function caseTable(cases: readonly ContractCase[], shared: readonly ContractCase[]): string {
  const both = new Set(shared.map(({ id }) => id))
  const areas = [...new Set(cases.map(({ area }) => area))]
  const row = ({ id, rule, section }: ContractCase) =>
    `| \`${id}\` | ${cell(rule)} | ${cell(section)} | ${both.has(id) ? '✓' : ''} |\n`
  return areas
    .map((area) => {
      const rows = cases.filter((one) => one.area === area).map(row)
      return `### ${area}\n\n| id | rule | from | spring |\n|---|---|---|---|\n${rows.join('')}\n`
    })
    .join('')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;')
}
