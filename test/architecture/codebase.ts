import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readSource, type Source } from './source.ts'

/** What the rules inspect. */
export interface Codebase {
  readonly manifest: Manifest
  readonly sources: readonly Source[]
}

/** The part of package.json that lists what may be imported. */
export interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

export function readCodebase(root: string): Codebase {
  const text = (path: string) => readFileSync(join(root, path), 'utf8')
  return {
    manifest: JSON.parse(text('package.json')),
    sources: ['src', 'adapters', 'examples']
      .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !path.startsWith('src/console/ui/') || /\.tsx?$/.test(path))
      .filter((path) => !/\/(node_modules|build)\//.test(path))
      .filter((path) => path.startsWith('src/') || path.startsWith('adapters/') || path.endsWith('.ts'))
      .sort()
      .map((path) => readSource(path, text(path))),
  }
}
