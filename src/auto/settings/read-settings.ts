import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describeError } from '../../base/error-text.ts'
import type { Report } from '../../base/report.ts'
import { type AutoOptions, completeSettings, type Settings } from './auto-options.ts'
import { type Environment, findUselessVariables, readVariables } from './upkeep-variables.ts'
import { validateOptions } from './validate-options.ts'

interface Sources {
  readonly environment: Environment
  /** The directories in which `upkeep.config.js` is searched, in order. */
  readonly directories: readonly string[]
  /** Called with one line for each setting that is invalid and has its default. */
  readonly report: Report
}

/**
 * Returns the settings: environment variables take precedence over the file, and that over the defaults. An invalid one
 * is reported, and has its default, except for those whose default would open more than was meant.
 */
export function readSettings({ environment, directories, report }: Sources): Settings {
  for (const message of findUselessVariables(environment)) report(message)
  const file = readConfigFile(environment['UPKEEP_CONFIG'], directories, report)
  const sources = [...(file === undefined ? [] : [file]), ...readVariables(environment)]
  let merged: Record<string, unknown> = {}
  const invalid = new Set<string>()
  for (const [name, options] of sources) {
    const { valid, errors } = validateOptions(name, options)
    for (const { message, option } of errors) {
      report(`${name}: ${message}`)
      invalid.add(option)
    }
    // Each variable has one member of these.
    const joined = ['shutdown', 'tls'].flatMap((each) => {
      const member = { ...(merged[each] as object), ...(valid[each] as object) }
      return Object.keys(member).length === 0 ? [] : [[each, member] as const]
    })
    merged = { ...merged, ...valid, ...Object.fromEntries(joined) }
  }
  // Safe: every option has been validated.
  return completeSettings(merged as AutoOptions, invalid)
}

const names = ['js', 'mjs', 'cjs', 'json'].map((extension) => `upkeep.config.${extension}`)

/**
 * Returns the path and the contents of the configuration file: that of `UPKEEP_CONFIG`, or the first that exists in the
 * directories. `undefined` if it does not exist, or cannot be loaded, which is reported.
 */
function readConfigFile(
  path: string | undefined,
  directories: readonly string[],
  report: Report,
): readonly [path: string, options: unknown] | undefined {
  const file = path ? resolve(path) : findFile(directories)
  if (file === undefined) return undefined
  try {
    // Synchronously, because the first request may come before an `import()` is done.
    const loaded: unknown = createRequire(import.meta.url)(file)
    return [file, defaultExport(loaded)]
  } catch (error) {
    report(`${file}: expected a file that can be loaded by require() and exports an object: ${describeError(error)}`)
    return undefined
  }
}

function findFile(directories: readonly string[]): string | undefined {
  return directories.flatMap((directory) => names.map((name) => join(directory, name))).find(exists)
}

function exists(path: string): boolean {
  try {
    return existsSync(path)
  } catch {
    // Not permitted by Node's permission model.
    return false
  }
}

function defaultExport(loaded: unknown): unknown {
  return typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : loaded
}
