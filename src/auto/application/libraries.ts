import { keepPoolCallers, observePostgresClients } from '../../instrumentation/database/traced-postgres.ts'
import type { LoadedModules } from './loaded-modules.ts'

/** A library that an application may use, and whether it is observed. */
interface Library {
  readonly name: string
  /** Its package. @default name */
  readonly packageName?: string
  /** The first version that is observed, as `major.minor`. @default all */
  readonly from?: string
  /**
   * A string of its source that bundlers and minifiers keep, in two halves: a bundle of upkeep does not contain it.
   * @default in a bundle the library is not recognized
   */
  readonly mark?: readonly [string, string]
  /** Libraries with diagnostics channels are observed everywhere; those that are patched have to be found. */
  readonly observed: 'everywhere' | 'outside of bundles' | 'nowhere'
  /** The library whose calls are observed instead, if the application uses it through that. */
  readonly below?: string
  /** Observes the modules that have been loaded. Called again when there may be more. */
  observe?(modules: LoadedModules): void
}

/** Frameworks that the traps do not find. */
const frameworks: readonly Library[] = [
  { name: 'nestjs', packageName: '@nestjs/core', observed: 'everywhere' },
  { name: 'express', observed: 'everywhere', mark: ['app.use() requires ', 'a middleware function'] },
  {
    ...{ name: 'hapi', packageName: '@hapi/hapi', observed: 'outside of bundles' },
    mark: ['Cannot start server before ', 'plugins finished registration'],
  },
]

/** Clients, and whether they have diagnostics channels. */
const clients: readonly Library[] = [
  { name: 'mysql2', observed: 'everywhere', from: '3.20' },
  { name: 'ioredis', observed: 'everywhere', from: '5.11' },
  { name: 'redis', packageName: '@redis/client', observed: 'everywhere', from: '5.12' },
  { name: 'mongoose', observed: 'everywhere', from: '9.7', mark: ['Mongoose', 'ServerSelectionError'] },
  { name: 'mssql', observed: 'everywhere', from: '12.4' },
  {
    ...{ name: 'pg', observed: 'outside of bundles', observe: observePostgres },
    mark: ['Client has encountered a connection error and ', 'is not queryable'],
  },
  { name: 'amqplib', observed: 'nowhere', mark: ['Channel ended, no reply ', 'will be forthcoming'] },
  { name: 'bullmq', observed: 'nowhere', mark: ['BullMQ: ', 'unknown command'] },
  { name: 'kafkajs', observed: 'nowhere', mark: ['KafkaJS', 'NumberOfRetriesExceeded'] },
  { name: 'mongodb', observed: 'nowhere', mark: ['Mongo', 'ServerSelectionError'], below: 'mongoose' },
  { name: 'nats', observed: 'nowhere', mark: ['Nats', 'Error'] },
  { name: 'postgres', observed: 'nowhere', mark: ['Query not called as ', 'a tagged template literal'] },
  { name: '@prisma/client', observed: 'nowhere', mark: ['@prisma/client did not ', 'initialize yet'] },
]

const loggers: readonly Library[] = [
  { name: 'pino', observed: 'everywhere', from: '9.10', mark: ['tracingChannel("pino_', 'asJson")'] },
  { name: 'winston', observed: 'outside of bundles', mark: ['[winston] Attempt to write ', 'logs with no transports'] },
]

/** Returns the libraries that are named at start; loggers only if their records get the ids of traces. */
export function namedLibraries({ logTraceIds }: { readonly logTraceIds: boolean }): readonly Library[] {
  return [...frameworks, ...clients, ...(logTraceIds ? loggers : [])]
}

function observePostgres(modules: LoadedModules): void {
  for (const exported of modules.exportsOf('pg/lib/client.js')) if (isClass(exported)) observePostgresClients(exported)
  for (const exported of modules.exportsOf('pg-pool/index.js')) if (isClass(exported)) keepPoolCallers(exported)
}

function isClass(value: unknown): value is { readonly prototype: object } {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null
}

/** The libraries of an application. */
interface FoundLibraries {
  /** Those that are observed. */
  readonly found: readonly string[]
  /** Those that cannot be observed. */
  readonly unseen: readonly string[]
}

/**
 * Returns the libraries that the application has loaded, or contains as a bundle. Nothing is guessed: an ES module
 * outside of a bundle is not visible, and is not listed.
 */
export function findLibraries(libraries: readonly Library[], modules: LoadedModules): FoundLibraries {
  const isInBundle = createBundleSearch()
  const found: string[] = []
  const unseen: string[] = []
  for (const { name, packageName = name, mark, from, observed, below } of libraries) {
    const directories = modules.directoriesOf(packageName)
    const isBundled = directories.length === 0 && mark !== undefined && isInBundle(mark.join(''))
    if ((directories.length === 0 && !isBundled) || (below !== undefined && found.includes(below))) continue
    if (from !== undefined && directories.some((directory) => isBefore(versionIn(directory), from))) {
      unseen.push(`${name} before ${from}`)
    } else if (observed === 'everywhere' || (observed === 'outside of bundles' && !isBundled)) found.push(name)
    else unseen.push(observed === 'nowhere' ? name : `${name} in a bundle`)
  }
  return { found, unseen }
}

/** Returns the version of an installed package; `undefined` if it cannot be read. */
function versionIn(directory: string): string | undefined {
  try {
    const text = process.getBuiltinModule('node:fs').readFileSync(`${directory}/package.json`, 'utf8')
    const { version } = JSON.parse(text) as { readonly version?: unknown }
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

function isBefore(version: string | undefined, first: string): boolean {
  if (version === undefined) return false
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [firstMajor = 0, firstMinor = 0] = first.split('.').map(Number)
  return major < firstMajor || (major === firstMajor && minor < firstMinor)
}

/** The files of the application itself may be bundles; a smaller one has no client of a database in it. */
const minBytes = 50_000
/** All that is searched: the largest bundles are of that size. */
const maxBytes = 32_000_000

/**
 * Returns a function that checks whether a string occurs in the large files of the application that have been loaded:
 * those outside of `node_modules`, and its main file.
 */
function createBundleSearch(): (text: string) => boolean {
  const { cache } = process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`)
  const [, main = ''] = process.argv
  const own = [main, ...Object.keys(cache)].filter((path) => !path.includes('node_modules'))
  let contents: readonly Buffer[] | undefined
  return (text) => {
    contents ??= readLarge([...new Set(own)])
    return contents.some((content) => content.includes(text))
  }
}

function readLarge(paths: readonly string[]): readonly Buffer[] {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs')
  let rest = maxBytes
  return paths.flatMap((path) => {
    try {
      const { size } = statSync(path)
      if (size < minBytes || size > rest) return []
      rest -= size
      return [readFileSync(path)]
    } catch {
      // An entry of another loader, or no permission.
      return []
    }
  })
}
