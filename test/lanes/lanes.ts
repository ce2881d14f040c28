import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alsoBundled } from './bundled.ts'
import { isEntryPoint, reachedFrom } from './imports.ts'

/** The test files of each lane, from the root of the repository. */
export interface Lanes {
  /** Run on the source files, without a build, a socket, a child process or a thread. */
  readonly quick: {
    /** Share one copy of each module with the files before them. */
    readonly shared: readonly string[]
    /** Use state of the process, such as its tracing, replace modules, or count timers. */
    readonly isolated: readonly string[]
  }
  /** Those of `quick`, and those that open sockets besides: a failure in `src/` reaches them in their own process. */
  readonly inProcess: readonly string[]
  /** Run on the source files: they import a module of `src/` or `adapters/`, or nothing of upkeep. */
  readonly sources: readonly string[]
  /** Run on the packed package: they reach upkeep through its entry points alone. */
  readonly package: readonly string[]
  /** Run on the ES modules of the packed package, which bundlers read; see `bundled.ts`. */
  readonly bundled: readonly string[]
  /** Run one file at a time, with nothing beside them: they kill, freeze, or fill something of the machine. */
  readonly machine: { readonly sources: readonly string[]; readonly package: readonly string[] }
}

/**
 * Sorts test files by their names and by what they import, through their support files as well: those of a folder, by
 * default all of the repository, apart from those of `test/with/`, which need packages of their own.
 */
export function findLanes(root: string, folder = 'test'): Lanes {
  const isInFolder = (path: string) =>
    path.startsWith(`${folder}/`) && (folder !== 'test' || !path.startsWith('test/with/'))
  const imports = new Map<string, readonly string[]>()
  const files = testFilesIn(root, folder).filter(isInFolder).sort()
  const reached = new Map(files.map((file) => [file, reachedFrom(file, root, imports)]))
  const some = (file: string, matches: (path: string) => boolean) => reached.get(file)?.some(matches) === true
  const usesPackage = (file: string) => some(file, isEntryPoint) && !some(file, isSource)
  const isMachine = (file: string) => file.endsWith('.machine.test.ts')
  const machine = files.filter(isMachine)
  const deterministic = files.filter((file) => !isMachine(file))
  const inProcess = deterministic.filter((file) => !some(file, needsProcess))
  const quick = inProcess.filter((file) => !some(file, opensSockets))
  const isIsolated = (file: string) => some(file, usesProcessState) || needsOwnModules(join(root, file))
  return {
    quick: { shared: quick.filter((file) => !isIsolated(file)), isolated: quick.filter(isIsolated) },
    inProcess,
    sources: deterministic.filter((file) => !usesPackage(file)),
    package: deterministic.filter(usesPackage),
    bundled: alsoBundled.filter(isInFolder),
    machine: { sources: machine.filter((file) => !usesPackage(file)), package: machine.filter(usesPackage) },
  }
}

/** Returns the test files below a folder. Does not enter installed packages, which are fifty times as many. */
function testFilesIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesIn(root, path)
    return path.endsWith('.test.ts') ? [path] : []
  })
}

function isSource(path: string): boolean {
  return /^(src|adapters)\//.test(path)
}

/** Returns whether a module starts processes or threads, needs what `npm run build` writes, or runs parsers many times. */
function needsProcess(path: string): boolean {
  return (
    /^(node:)?(child_process|cluster|worker_threads)$/.test(path) ||
    /^test\/(support\/(package\/|growth\/|built\.ts$)|fuzz\/)/.test(path)
  )
}

function opensSockets(path: string): boolean {
  return /^(node:)?(dgram|http2?|https|net|tls)$/.test(path)
}

/** Returns whether a module reads or replaces what exists once in a process: its tracing, subscriptions, providers. */
function usesProcessState(path: string): boolean {
  return [
    /^@opentelemetry\//,
    /^(node:)?diagnostics_channel$/,
    /^upkeep\/instrumentation$/,
    /^src\/tracing\/(create|current)-tracing\.ts$/,
  ].some((pattern) => pattern.test(path))
}

/** Returns whether a test file replaces modules, which others may have loaded, or counts all timers. */
function needsOwnModules(path: string): boolean {
  return /vi\.(?:do)?[mM]ock\(|getTimerCount/.test(readFileSync(path, 'utf8'))
}
