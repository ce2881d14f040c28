import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builtTarball } from '../../support/package/packed.ts'
import { runToEnd } from './run-to-end.ts'

/** A Next.js application that has been built with `output: 'standalone'`. */
export interface BuiltApplication {
  /** The folder of its `server.js`. */
  readonly folder: string
  /** The folder of its sources. */
  readonly project: string
  readonly remove: () => Promise<void>
}

/**
 * Installs and builds the project with a version of Next.js, the packed tarball and further files, as a user would
 * deploy it.
 */
export async function buildApplication(
  version: '15' | '16',
  files: Readonly<Record<string, string>>,
): Promise<BuiltApplication> {
  const project = await mkdtemp(join(tmpdir(), `upkeep-next-${version}-`))
  const remove = () => rm(project, { recursive: true, force: true })
  try {
    for (const folder of ['project', version]) await cp(join(import.meta.dirname, folder), project, { recursive: true })
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(project, dirname(name)), { recursive: true })
      await writeFile(join(project, name), text)
    }
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
    // Not `npm ci`, which requires that the lock lists the compilers of all platforms.
    await runToEnd(project, 'npm', ['install', '--no-save', ...quiet, builtTarball])
    await runToEnd(project, 'npx', ['next', 'build'])
    const folder = join(project, '.next/standalone')
    await cp(join(project, 'public'), join(folder, 'public'), { recursive: true })
    await cp(join(project, '.next/static'), join(folder, '.next/static'), { recursive: true })
    return { folder, project, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
