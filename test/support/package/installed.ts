import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { changesSinceBuild, packageBuild } from '../../../scripts/build-steps/record.mjs'

/** Where `npm run build` installs the packed tarball: below `build/`, which is a project of its own. */
export const installed = 'build/node_modules/upkeep'

/** Throws unless the package is installed, and from a build of the source files as they are. */
export function requireInstalledPackage(root: string): void {
  const manifest = join(root, installed, 'package.json')
  if (!existsSync(manifest)) throw new Error(`${installed} is missing. Run: npm run build`)
  const changed = changesSinceBuild(root, packageBuild).find((path) => /^(src|adapters)[\\/]/.test(path))
  if (changed !== undefined) throw new Error(`${changed} has changed since ${installed} was built. Run: npm run build`)
}
