import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The commands of the package manager of a project. */
interface PackageManager {
  /** Followed by a package and its version. */
  readonly install: string
  readonly dedupe: string
  /** Where a version is enforced. */
  readonly overrides: string
}

const managers: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': { install: 'pnpm add', dedupe: 'pnpm dedupe', overrides: 'overrides in pnpm-workspace.yaml' },
  'yarn.lock': { install: 'yarn add', dedupe: 'yarn dedupe', overrides: 'resolutions in package.json' },
}

const npm: PackageManager = { install: 'npm install', dedupe: 'npm dedupe', overrides: 'overrides in package.json' }

/** Returns the package manager whose lock file is in a folder, or nearest above. */
export function packageManagerOf(folder: string): PackageManager {
  if (existsSync(join(folder, 'package-lock.json'))) return npm
  const lock = Object.keys(managers).find((name) => existsSync(join(folder, name)))
  if (lock !== undefined) return managers[lock] ?? npm
  return folder === dirname(folder) ? npm : packageManagerOf(dirname(folder))
}
