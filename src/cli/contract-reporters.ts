import { openSync, writeFileSync } from 'node:fs'
import type { ContractCase } from '../entries/contract.ts'
import type { Colours } from './output.ts'
import type { CaseResult, Reporter } from './reporter.ts'
import { jsonReporter, junitReporter, tapReporter } from './reporters/document-reporters.ts'
import { githubReporter, specReporter } from './reporters/printed-reporters.ts'

/** For a person: printed. */
const printed: Readonly<Record<string, (colours: Colours) => Reporter>> = { spec: specReporter, github: githubReporter }

/** For a program: printed, or written to a file beside a printed one. */
const documents: Readonly<Record<string, () => Reporter>> = {
  tap: tapReporter,
  junit: junitReporter,
  json: jsonReporter,
}

/** Reports a run to the standard output and to a file. */
interface OpenReporters {
  readonly begin: (url: string, cases: readonly ContractCase[]) => void
  readonly report: (result: CaseResult, number: number) => void
  readonly end: (all: readonly CaseResult[]) => void
}

interface Selection {
  readonly names: readonly string[]
  readonly file: string | undefined
}

/**
 * Creates the selected reporters, and opens the file.
 *
 * @throws TypeError if a name is unknown, two reporters would be printed, or the file cannot be written.
 */
export function openReporters(
  { names, file }: Selection,
  print: (text: string) => void,
  colours: Colours,
): OpenReporters {
  const known = [...Object.keys(printed), ...Object.keys(documents)]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`--reporter: expected ${known.join(', ')}, received ${unknown}`)
  const [document, anotherDocument] = names.filter((name) => Object.hasOwn(documents, name))
  const [person, anotherPerson] = names.filter((name) => Object.hasOwn(printed, name))
  const extra = anotherDocument ?? anotherPerson
  if (extra !== undefined) throw new TypeError(`--reporter: expected one like it, received ${extra} as well`)
  if (file !== undefined && document === undefined) {
    throw new TypeError('--output: expected --reporter tap, junit or json with it')
  }
  if (file === undefined && document !== undefined && person !== undefined) {
    throw new TypeError(`--reporter: ${document} and ${person} cannot both be printed: pass --output for ${document}`)
  }

  const targets: (readonly [Reporter, (text: string) => void])[] = []
  const createDocument = documents[document ?? '']
  const createPrinted = printed[person ?? 'spec']
  if (createDocument !== undefined) targets.push([createDocument(), file === undefined ? print : writerOf(file)])
  if (createPrinted !== undefined && (document === undefined || file !== undefined)) {
    targets.push([createPrinted(colours), print])
  }
  const tell = (textOf: (reporter: Reporter) => string) => {
    for (const [reporter, write] of targets) write(textOf(reporter))
  }
  return {
    begin: (url, cases) => tell(({ begin }) => begin(url, cases)),
    report: (result, number) => tell(({ report }) => report(result, number)),
    end: (all) => tell(({ end }) => end(all)),
  }
}

/** Opens the file before the run, so that a path that cannot be written is noticed at once. */
function writerOf(file: string): (text: string) => void {
  const descriptor = attempt(() => openSync(file, 'w'))
  return (text) => void attempt(() => writeFileSync(descriptor, text))
}

function attempt<T>(write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw new TypeError(`--output: ${(error as Error).message}`)
  }
}
