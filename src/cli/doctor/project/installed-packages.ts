import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
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
  if (manifest !== undefined) {
    const { dependencies = {}, scripts = {} } = manifest
    return { folder, dependencies: Object.keys(dependencies), scripts }
  }
  return folder === dirname(folder) ? undefined : findProject(dirname(folder))
}

/** More folders are not searched. */
const maxFolders = 50_000

/**
 * Finds all copies of the named packages in the node_modules of a project, its parents (of a monorepo), its
 * dependencies, and the store of pnpm. `isComplete` is false if there are too many folders.
 */
export function findPackages(
  project: string,
  names: ReadonlySet<string>,
): { readonly packages: readonly InstalledPackage[]; readonly isComplete: boolean } {
  const found = new Map<string, InstalledPackage>()
  const pending = parentsOf(project).map((each) => join(each, 'node_modules'))
  pending.push(...pending.map((each) => join(each, '.pnpm')).flatMap(storeFolders))
  const seen = new Set<string>()
  for (const folder of pending) {
    if (seen.size >= maxFolders) return { packages: [...found.values()], isComplete: false }
    const real = realPath(folder)
    if (real === undefined || seen.has(real)) continue
    seen.add(real)
    for (const name of packageNames(real)) {
      const path = join(real, name)
      if (names.has(name)) addPackage(found, name, path)
      const nested = join(path, 'node_modules')
      if (existsSync(nested)) pending.push(nested)
    }
  }
  return { packages: [...found.values()], isComplete: true }
}

function addPackage(found: Map<string, InstalledPackage>, name: string, path: string): void {
  const folder = realPath(path)
  const version = folder === undefined ? undefined : readManifest(folder)?.version
  if (folder !== undefined && version !== undefined) found.set(folder, { name, version, folder })
}

function parentsOf(folder: string): string[] {
  return folder === dirname(folder) ? [folder] : [folder, ...parentsOf(dirname(folder))]
}

/** The folders `node_modules` in the store of pnpm. */
function storeFolders(store: string): readonly string[] {
  return list(store).map((name) => join(store, name, 'node_modules'))
}

function packageNames(folder: string): readonly string[] {
  return list(folder).flatMap((name) => {
    if (name.startsWith('@')) return list(join(folder, name)).map((inner) => `${name}/${inner}`)
    return name.startsWith('.') ? [] : [name]
  })
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}
