import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An installed copy of a package. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** Without symbolic links. */
  readonly folder: string
}

/** A project: the folder of its package.json, and what that contains. */
export interface Project {
  readonly folder: string
  readonly dependencies: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
}

/** Finds the project that a folder belongs to; `undefined` without a package.json. */
export function findProject(folder: string): Project | undefined {
  const manifest = readManifest(folder)
  // A package.json inside a package often has its type only.
  if (manifest !== undefined && (manifest.dependencies ?? manifest.scripts ?? manifest.name) !== undefined) {
    const { dependencies = {}, scripts = {} } = manifest
    return { folder, dependencies: Object.keys(dependencies), scripts }
  }
  const above = dirname(folder)
  const found = folder === above ? undefined : findProject(above)
  return found ?? (manifest === undefined ? undefined : { folder, dependencies: [], scripts: {} })
}

/** Finds the package that Node loads for a name in a folder. */
export function findPackage(name: string, from: string): InstalledPackage | undefined {
  const folder = realPath(join(from, 'node_modules', name))
  const manifest = folder === undefined ? undefined : readManifest(folder)
  // Members of a monorepo often have no version.
  if (folder !== undefined && manifest !== undefined) return { name, version: manifest.version ?? '', folder }
  return from === dirname(from) ? undefined : findPackage(name, dirname(from))
}

/**
 * Finds all packages that the project and its dependencies load, as Node resolves them. Those of other members of a
 * monorepo, and what remains in the store of pnpm, are not among them. `roots` are the packages that the project may
 * load without naming them.
 */
export function findCopies({ folder, dependencies }: Project, roots: readonly string[]): readonly InstalledPackage[] {
  const found = new Map<string, InstalledPackage>()
  const pending = [...roots, ...dependencies].map((name) => ({ name, from: realPath(folder) ?? folder }))
  for (const { name, from } of pending) {
    const installed = findPackage(name, from)
    if (installed === undefined || found.has(installed.folder)) continue
    found.set(installed.folder, installed)
    const { dependencies: own, optionalDependencies, peerDependencies } = readManifest(installed.folder) ?? {}
    for (const each of Object.keys({ ...own, ...optionalDependencies, ...peerDependencies })) {
      pending.push({ name: each, from: installed.folder })
    }
  }
  return [...found.values()]
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}
