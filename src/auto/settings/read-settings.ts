import type { Report } from '../../base/report.ts'
import { type AutoOptions, completeSettings, type Settings } from './auto-options.ts'
import { readConfigFile } from './config-file.ts'
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
    merged = { ...merged, ...valid, shutdown: { ...(merged['shutdown'] as object), ...(valid['shutdown'] as object) } }
  }
  // Safe: every option has been validated.
  return completeSettings(merged as AutoOptions, invalid)
}
