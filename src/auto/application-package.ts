import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What is known of the application before it says anything about itself. */
export interface ApplicationPackage {
  readonly name: string
  readonly version: string | undefined
  /** The directory of its package.json. */
  readonly directory: string | undefined
}

/**
 * Returns name and version of the package that the started script belongs to: those of the nearest package.json that
 * has a name, otherwise the name of the script.
 */
export function findApplication({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): ApplicationPackage {
  // PM2 starts a script of its own, which loads that of the application.
  const script = env['pm_exec_path'] ?? argv[1]
  for (const directory of directoriesAbove(script ?? join(process.cwd(), 'index.js'))) {
    const { name, version } = readManifest(join(directory, 'package.json'))
    if (typeof name !== 'string' || name === '') continue
    return { name, version: typeof version === 'string' ? version : undefined, directory }
  }
  return { name: basename(script ?? process.execPath), version: undefined, directory: undefined }
}

function* directoriesAbove(file: string): Generator<string> {
  let directory = dirname(file)
  for (let depth = 0; depth < 30; depth += 1) {
    yield directory
    if (dirname(directory) === directory) return
    directory = dirname(directory)
  }
}

function readManifest(path: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof manifest === 'object' && manifest !== null ? (manifest as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
