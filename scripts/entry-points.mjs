// The entry points of the package. `exports` in package.json is the list; everything else that needs one reads it here.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
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

/**
 * The files that `upkeep/auto` loads by `require`, each with its source file: the first when the application opens its
 * first server, the others when that needs them.
 */
export const loadedFiles = {
  'auto-start': 'src/auto/start.ts',
  'auto-cluster': 'src/auto/join-group.ts',
  'auto-observe': 'src/auto/application/observe-application.ts',
  'auto-otlp': 'src/auto/export-telemetry.ts',
}

/** The names of the entry points that may change in a minor version, as docs/stability.md says. */
export const experimentalEntries = ['adapter', 'contract', 'rest']

/** The names of the entry points that bundlers read as ES modules. Nobody bundles the others. */
export const bundledEntries = entryPoints.map(({ name }) => name).filter((name) => !['auto', 'contract'].includes(name))

/** Returns the name of the ES module by which Node imports an entry point. */
export function importedFile(name) {
  // Named by its path in `--import`.
  return name === 'auto' ? 'auto.js' : `${name}.mjs`
}

/** Returns the path of the source file from the root: an adapter's, that of `src/entries/`, or a module's own. */
function sourceOf(name) {
  const candidates = [`adapters/${name}.ts`, `src/entries/${name}.ts`, `src/${name}/${name}.ts`]
  const source = candidates.find((path) => existsSync(resolve(root, path)))
  if (source === undefined) throw new Error(`package.json: exports: no source file found for "${name}"`)
  return source
}
