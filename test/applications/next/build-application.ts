import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../../support/package/packed.ts'
import { runToEnd } from './run-to-end.ts'

/** A Next.js application that has been built with `output: 'standalone'`. */
export interface BuiltApplication {
  /** The folder of its `server.js`. */
  readonly folder: string
  readonly remove: () => Promise<void>
}

/** Installs and builds the project with a version of Next.js and the packed tarball, as a user would deploy it. */
export async function buildApplication(version: '15' | '16'): Promise<BuiltApplication> {
  const project = await mkdtemp(join(tmpdir(), `upkeep-next-${version}-`))
  const remove = () => rm(project, { recursive: true, force: true })
  try {
    for (const folder of ['project', version]) await cp(join(import.meta.dirname, folder), project, { recursive: true })
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
    // Not `npm ci`, which requires that the lock lists the compilers of all platforms.
    await runToEnd(project, 'npm', ['install', '--no-save', ...quiet, join(repository, 'build/upkeep-0.1.0.tgz')])
    await runToEnd(project, 'npx', ['next', 'build'])
    const folder = join(project, '.next/standalone')
    await cp(join(project, 'public'), join(folder, 'public'), { recursive: true })
    await cp(join(project, '.next/static'), join(folder, '.next/static'), { recursive: true })
    return { folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
