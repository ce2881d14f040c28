import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PackedPackage, repository } from './packed.ts'

/** Creates a project whose node_modules contains only the packed package and the named others. */
export function createConsumer(packed: PackedPackage, packages: readonly string[]): string {
  const folder = packed.emptyFolder()
  const modules = join(folder, 'node_modules')
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  cpSync(packed.folder, join(modules, packed.manifest.name), { recursive: true })
  for (const name of [...Object.keys(packed.manifest.dependencies ?? {}), ...packages]) {
    copyPackage(name, repository, modules, modules)
  }
  return folder
}

/**
 * Copies a package and its dependencies. Like npm, it puts each at the top, or below its dependent where the top holds
 * another version.
 */
function copyPackage(name: string, dependent: string, top: string, below: string): void {
  const source = findPackage(name, dependent)
  const { version, dependencies = {} } = readManifest(source)
  const taken = join(top, name)
  if (existsSync(taken) && readManifest(taken).version === version) return
  const target = existsSync(taken) ? join(below, name) : taken
  if (existsSync(target)) return
  mkdirSync(dirname(target), { recursive: true })
  cpSync(source, target, { recursive: true, filter: (path) => path !== join(source, 'node_modules') })
  for (const dependency of Object.keys(dependencies)) {
    copyPackage(dependency, source, top, join(target, 'node_modules'))
  }
}

function findPackage(name: string, dependent: string): string {
  const found = join(dependent, 'node_modules', name)
  if (existsSync(found)) return found
  if (dependent === dirname(dependent)) throw new Error(`${name} is not installed: npm ci`)
  return findPackage(name, dirname(dependent))
}

function readManifest(folder: string): {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
} {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
