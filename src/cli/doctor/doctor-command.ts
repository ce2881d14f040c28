import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { doctorHelp } from '../help.ts'
import { coloursFor, type Output } from '../output.ts'
import { type DoctorArguments, readDoctorArguments } from './doctor-arguments.ts'
import { type CheckName, completeOutcomes, type Outcome, outcomesAsJson, outcomesAsText } from './outcome.ts'
import { inspectProgram } from './program/inspect-program.ts'
import { type AutoStart, findAutoStart } from './project/auto-start.ts'
import { databaseClientsOf } from './project/database-clients.ts'
import { inspectProject } from './project/inspect-project.ts'
import { findProject } from './project/installed-packages.ts'
import { inspectService } from './service/inspect-service.ts'
import { changesAsText, findChanges } from './upgrade/find-changes.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs `upkeep doctor`. Returns the exit code: 0 if nothing was found, 1 if something was, 2 if nothing could be
 * checked or an argument is invalid.
 */
export async function runDoctor(words: readonly string[], environment: Environment, output: Output): Promise<number> {
  try {
    const given = readDoctorArguments(words, environment)
    if (given.help) {
      output.write(doctorHelp)
      return 0
    }
    if (given.upgradeFrom !== undefined) return tellChanges(given.upgradeFrom, given.json, output)
    const { outcomes, start } = await inspect(given, environment)
    const colours = coloursFor(environment, output.isTerminal)
    output.write(given.json ? outcomesAsJson(outcomes, start) : outcomesAsText(outcomes, colours, start))
    return outcomes.some(({ kind }) => kind === 'finding') ? 1 : 0
  } catch (error) {
    const help = error instanceof TypeError ? 'See upkeep doctor --help.\n' : ''
    output.writeError(`upkeep doctor: ${error instanceof Error ? error.message : String(error)}\n${help}`)
    return 2
  }
}

function tellChanges(from: string, asJson: boolean, output: Output): number {
  const found = findChanges(process.cwd(), from)
  output.write(asJson ? `${JSON.stringify(found, undefined, 2)}\n` : changesAsText(found, from))
  return found.changes.length > 0 ? 1 : 0
}

const withoutProgram: Readonly<Partial<Record<CheckName, string>>> = Object.fromEntries(
  ['access', 'address', 'requests', 'order', 'readiness', 'liveness', 'drain', 'heap'].map((name) => [
    name,
    'pass the file of the program, or the URL of a running service',
  ]),
)

/** What was found, and how a program was started other than by `node <file>`. */
interface Inspection {
  readonly outcomes: readonly Outcome[]
  readonly start?: string | undefined
}

/** Examines what the arguments name. Rejects if nothing of it can be checked. */
export async function inspect(given: DoctorArguments, environment: Environment): Promise<Inspection> {
  const { subject } = given
  if (subject.kind === 'url') return { outcomes: await inspectService(subject.url, given) }
  const file = subject.kind === 'program' ? resolve(subject.file) : undefined
  if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new TypeError(`expected a URL such as http://127.0.0.1:3000, or a file, and there is no file ${file}`)
  }
  const project = findProject(file === undefined ? process.cwd() : dirname(file))
  if (project === undefined && file === undefined) throw new TypeError('there is no package.json here')
  const outcomes = project === undefined ? [] : inspectProject(project, given.memory)
  const reasons = { copies: 'there is no package.json', versions: 'there is no package.json' }
  if (file === undefined) {
    const reasons = { ...withoutProgram, clock: 'pass the URL of a running service' }
    return { outcomes: completeOutcomes(outcomes, reasons) }
  }
  const databaseClients = project === undefined ? undefined : databaseClientsOf(project)
  const autoStart = findAutoStart(file, project, environment)
  const inspected = await inspectProgram(file, given, { databaseClients, autoStart })
  return {
    outcomes: completeOutcomes([...outcomes, ...inspected], {
      ...reasons,
      clock: 'the program runs on this machine: pass the URL of a running service',
    }),
    start: describeStart(autoStart),
  }
}

function describeStart(autoStart: AutoStart | undefined): string | undefined {
  if (autoStart === undefined || (autoStart.url === undefined && autoStart.place !== 'NODE_OPTIONS')) return undefined
  return `Started with upkeep/auto, as in ${autoStart.place}: ${autoStart.option}`
}
