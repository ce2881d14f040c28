// Writes dist/ from the chunks of build/modules/: few files, each module in exactly one of them, once as ES modules and
// once as CommonJS. A step of scripts/build.mjs.
//
// esbuild splits code into one chunk for each set of entry points that need it: with its chunks as they are,
// `upkeep` would open 16 files, and in CommonJS calls across chunks would go through getters. Rollup joins the chunks
// and writes such calls as property reads.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { rollup } from 'rollup'
import { entryPoints, loadedFiles } from '../entry-points.mjs'

const root = resolve(import.meta.dirname, '../..')
const modules = join(root, 'build/modules')
const { outputs } = JSON.parse(readFileSync(join(modules, 'metafile-esm.json'), 'utf8'))
/** The files that the program of each worker thread is bundled from. */
const programs = JSON.parse(readFileSync(join(modules, 'worker-sources.json'), 'utf8'))
const names = entryPoints.map(({ name }) => name)
const loaded = Object.keys(loadedFiles)
/** A file that is smaller is loaded as a whole where one of its functions is needed. */
const smallFile = 20_000
const groups = groupChunks()

await write('es', [...names, ...loaded], 'js')
await write('cjs', [...names, ...loaded, 'cli'], 'cjs')
chmodSync(join(root, 'dist/cli.cjs'), 0o755)

async function write(format, entries, extension) {
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, join(modules, `${name}.js`)])),
    external: (id) => !/^[./]/.test(id),
    treeshake: false,
    onwarn: (warning) => {
      throw new Error(`rollup: ${warning.message}`)
    },
    plugins: [
      { name: 'pure-interop', transform: markInteropPure },
      { name: 'unused-helpers', transform: removeUnusedHelpers },
      // Not Rollup's polyfill, which requires a module by a computed name.
      { name: 'path-of-file', resolveImportMeta: () => (format === 'cjs' ? '__filename' : null) },
    ],
  })
  const { output } = await bundle.write({
    dir: join(root, 'dist'),
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
    manualChunks: (id) => groups.get(basename(id)),
    onlyExplicitManualChunks: true,
    exports: 'named',
    generatedCode: 'es2015',
    // Calls of another file's functions read a property of its exports, not a getter: as fast as ES modules.
    externalLiveBindings: false,
    freeze: false,
    hoistTransitiveImports: false,
    // Jest has no `import()` without a flag of Node's.
    dynamicImportInCjs: false,
  })
  await bundle.close()
  const sources = Object.fromEntries(
    output.map(({ fileName, moduleIds }) => [`dist/${fileName}`, moduleIds.flatMap(sourcesOf).sort()]),
  )
  const list = `build/modules-${format === 'es' ? 'esm' : 'cjs'}.json`
  writeFileSync(join(root, list), `${JSON.stringify(sources, null, 2)}\n`)
}

/** Names the file of dist/ for each chunk of build/modules/. */
function groupChunks() {
  const probe = reachedFrom('cli.js')
  const index = reachedFrom('index.js')
  // On its own, so that an application that bundles `upkeep/ids` alone gets nothing else.
  const ids = reachedFrom('ids.js')
  const deferred = deferredBy(index)
  const commands = [...new Set([...reachedFrom('cli.js', true)].flatMap(deferredChunks))]
  const others = names.filter((name) => name !== 'index')
  const loadedBy = new Map(loaded.map((name) => [name, reachedFrom(`${name}.js`)]))
  // What is deferred by one entry point and imported at once by another is apart from what only the former needs.
  const imported = new Set(others.flatMap((name) => [...reachedFrom(`${name}.js`)]))
  const reached = new Map(others.map((name) => [name, reachedFrom(`${name}.js`, true)]))
  // Entry points that other entry points build on: `upkeep/node` and `upkeep/fetch` for the frameworks' adapters.
  const foundations = entryPoints
    .filter(({ name, source }) => name !== 'index' && !(source in outputs[`build/modules/${name}.js`].inputs))
    .map(({ name }) => name)
    .sort((a, b) => reached.get(a).size - reached.get(b).size)
  return new Map(Object.keys(outputs).map((path) => [basename(path), groupOf(basename(path))]))

  function groupOf(chunk) {
    const users = others.filter((name) => reached.get(name).has(chunk))
    // Loaded in every process of Node's, so it opens no other file.
    if (users.length === 1 && users[0] === 'auto') return 'auto'
    if (probe.has(chunk)) return index.has(chunk) || users.length > 0 ? 'base' : 'cli'
    if (chunk === 'index.js') return 'index'
    if (ids.has(chunk)) return chunk === 'ids.js' ? 'ids' : 'ids-core'
    if (index.has(chunk)) return 'core'
    if (deferred.has(chunk)) return deferred.get(chunk) + (imported.has(chunk) ? '-shared' : '')
    const loaders = loaded.filter((name) => loadedBy.get(name).has(chunk))
    if (users.length === 0) return loaders[0] ?? commandFile(chunk)
    const [only] = users
    if (users.length === 1 && (loaders.length === 0 || isSmall(only))) return only
    const needed = [...users.map((name) => reached.get(name)), ...loaders.map((name) => loadedBy.get(name))]
    const isOwner = (name) => isSmall(name) || needed.every((chunks) => chunks.has(addedBy(name)[0]))
    return foundations.find((name) => users.includes(name) && isOwner(name)) ?? 'shared'
  }

  function isSmall(name) {
    return addedBy(name).reduce((sum, chunk) => sum + sizeOf(chunk), 0) < smallFile
  }

  /** Returns the chunks that an entry point adds to `upkeep`, the largest first. */
  function addedBy(name) {
    const added = [...reached.get(name)].filter((chunk) => !index.has(chunk) && !deferred.has(chunk))
    return added.sort((a, b) => sizeOf(b) - sizeOf(a))
  }

  /** Names a file for each command of `upkeep`, and for what a command imports later. */
  function commandFile(chunk) {
    const [command, another] = commands.filter((each) => reachedFrom(each).has(chunk))
    return another === undefined ? `cli-${sourceName(command).replace(/-command$/, '')}` : 'cli-shared'
  }
}

/**
 * Names a file of its own for what chunks import later. In a file that also imports `core`, it would close a cycle, and
 * esbuild puts all of such a cycle into functions, from which it removes nothing.
 */
function deferredBy(chunks) {
  const files = new Map()
  for (const later of [...chunks].flatMap(deferredChunks)) {
    for (const reached of reachedFrom(later)) if (!chunks.has(reached)) files.set(reached, sourceName(later))
  }
  return files
}

/** Returns the chunks that a chunk imports later. */
function deferredChunks(chunk) {
  return outputs[join('build/modules', chunk)].imports
    .filter(({ kind, external }) => !external && kind === 'dynamic-import')
    .map(({ path }) => basename(path))
}

/** Returns the bytes of a chunk. */
function sizeOf(chunk) {
  return outputs[join('build/modules', chunk)].bytes
}

/** Returns the name of the source file that a chunk was made for. */
function sourceName(chunk) {
  return chunk.replace(/-[A-Z0-9]+\.js$/, '')
}

/** Returns the chunks that an entry point imports statically, itself included; `lazily` adds what it imports later. */
function reachedFrom(entry, lazily = false) {
  const reached = new Set([entry])
  for (const chunk of reached) {
    const path = join('build/modules', chunk)
    for (const { path: imported, kind, external } of outputs[path].imports) {
      if (!external && (lazily || kind === 'import-statement')) reached.add(basename(imported))
    }
  }
  return reached
}

/** Returns the files of packages: those of upkeep in the program of a worker thread are copies. */
function packagesIn(files) {
  return files.filter((file) => file.startsWith('node_modules/'))
}

/** Returns the source files, from the root, that a chunk of build/modules/ is made of. */
function sourcesOf(moduleId) {
  if (dirname(moduleId) !== modules) return []
  const { inputs } = outputs[join('build/modules', basename(moduleId))]
  return Object.keys(inputs)
    .filter((input) => inputs[input].bytesInOutput > 0)
    .flatMap((input) => [input, ...packagesIn(programs[input.replace(/^worker-source:/, '')] ?? [])])
}

/** Lets a bundler drop the bundled CommonJS packages where nothing uses them. */
function markInteropPure(code) {
  return code
    .replace(/= (__toESM\()(require_\w+\()/g, '= /* @__PURE__ */ $1/* @__PURE__ */ $2')
    .replace(/= (__commonJS\()/g, '= /* @__PURE__ */ $1')
}

/** Removes the import by which esbuild lets each entry point load its helper functions, also one that calls none. */
function removeUnusedHelpers(code) {
  return code.replace(/^import "\.\/([^"]+)";\n/gm, (statement, chunk) =>
    Object.keys(outputs[join('build/modules', chunk)].inputs).length === 0 ? '' : statement,
  )
}
