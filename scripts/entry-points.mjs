// The entry points of the package. `exports` in package.json is the list; everything else that needs one reads it here.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

// tsup bundles its configuration to another place, so the root is where npm runs scripts, not relative to this file.
const root = process.cwd()
const { exports } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))

/**
 * Each entry point by what a user imports, the base name of its files in `dist/`, and its source file.
 *
 * @type {readonly { readonly specifier: string, readonly name: string, readonly source: string }[]}
 */
export const entryPoints = Object.keys(exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => {
    const name = path === '.' ? 'index' : path.slice('./'.length)
    return { specifier: path.replace('.', 'upkeep'), name, source: sourceOf(name) }
  })

/** Returns the path of the source file from the root: an adapter's, or that of `src/entries/`. */
function sourceOf(name) {
  const source = [`adapters/${name}.ts`, `src/entries/${name}.ts`].find((path) => existsSync(resolve(root, path)))
  if (source === undefined) throw new Error(`package.json: exports: no source file found for "${name}"`)
  return source
}
