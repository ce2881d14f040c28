import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describeError } from '../../base/error-text.ts'
import type { Report } from '../../base/report.ts'

const names = ['js', 'mjs', 'cjs', 'json'].map((extension) => `upkeep.config.${extension}`)

/**
 * Returns the path and the contents of the configuration file: that of `UPKEEP_CONFIG`, or the first that exists in the
 * directories. `undefined` if it does not exist, or cannot be loaded, which is reported.
 */
export function readConfigFile(
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
