import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Where `npm run build` installs the packed tarball: below `build/`, which is a project of its own. */
export const installed = 'build/node_modules/upkeep'

/** Throws unless the package is installed, and from a build that is newer than every source file. */
export function requireInstalledPackage(root: string): void {
  const manifest = join(root, installed, 'package.json')
  if (!existsSync(manifest)) throw new Error(`${installed} is missing. Run: npm run build`)
  const installedAt = statSync(join(root, 'build/package.json')).mtimeMs
  const sources = ['src', 'adapters'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const newer = sources.find((path) => statSync(join(root, path)).mtimeMs > installedAt)
  if (newer !== undefined) throw new Error(`${newer} is newer than ${installed}. Run: npm run build`)
}
