import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installPackages } from '../../scripts/install-packages.mjs'
import { installed } from '../support/package/installed.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder whose packages a project needs, from the root. */
    readonly packages: string
  }
}

const root = resolve(import.meta.dirname, '../..')

/**
 * Installs the packages of a project before its first test, and beside them the packed package, which finds them there.
 * So do programs that tests write below `build/with/`, in the folder of that name.
 */
export function setup(project: TestProject): void {
  const folder = join(root, project.getProvidedContext().packages)
  const packages = join(folder, 'node_modules')
  installPackages(folder)
  rmSync(join(packages, 'upkeep'), { recursive: true, force: true })
  cpSync(join(root, installed), join(packages, 'upkeep'), { recursive: true })
  const programs = join(root, 'build/with', basename(folder))
  mkdirSync(programs, { recursive: true })
  rmSync(join(programs, 'node_modules'), { force: true })
  symlinkSync(packages, join(programs, 'node_modules'))
}
