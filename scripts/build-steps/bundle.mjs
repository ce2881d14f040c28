// Writes dist/ from the chunks of build/modules/: few files, each module in exactly one of them, as CommonJS, which
// Node loads, and as ES modules, which bundlers read. A step of scripts/build.mjs.
//
// esbuild splits code into one chunk for each set of entry points that need it: with its chunks as they are, `upkeep`
// would open 16 files, and in CommonJS calls across chunks would go through getters. Rollup joins the chunks and writes
// such calls as property reads.
import { chmodSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { rollup } from 'rollup'
import { bundledEntries, entryPoints, importedFile, loadedFiles } from '../entry-points.mjs'
import { filesOnUse } from '../files-on-use.mjs'
import { readChunks } from './chunk-graph.mjs'
import { rollupFilesOnUse } from './files-on-use.mjs'
import { groupChunks } from './group-chunks.mjs'
import { protocolPath, writeProtocolFile } from './protocol-file.mjs'
import { shorten } from './shorten.mjs'

const root = resolve(import.meta.dirname, '../..')
const sources = new Map(entryPoints.map(({ name, source }) => [name, source]))
const names = entryPoints.map(({ name }) => name)
const loaded = Object.keys(loadedFiles)
const onUse = Object.keys(filesOnUse)

await write('esm', { names: bundledEntries, loaded: [], onUse: [] })
await write('cjs', { names, loaded, onUse, others: ['cli'] })
chmodSync(join(root, 'dist/cli.cjs'), 0o755)
// Such as that a file reads another's exports before they exist, because each loads the other.
process.on('warning', (warning) => {
  throw warning
})
for (const name of names) writeImportedFile(name)

async function write(format, { names, loaded, onUse, others = [] }) {
  const chunks = readChunks(root, `build/modules/${format}`)
  const groups = groupChunks(chunks, { names, loaded, onUse, sources })
  const extension = format === 'cjs' ? 'cjs' : 'js'
  const entries = [...names, ...loaded, ...others]
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, join(root, `build/modules/${format}/${name}.js`)])),
    external: (id) => !/^[./]/.test(id),
    treeshake: false,
    onwarn: (warning) => {
      // A file that is loaded on use imports the file that uses it, which has been loaded by then.
      if (format === 'cjs' && /^CIRCULAR_(CHUNK|DEPENDENCY)$|^CYCLIC/.test(warning.code)) return
      throw new Error(`rollup: ${warning.message}`)
    },
    plugins: [
      { name: 'pure-interop', transform: markInteropPure },
      { name: 'unused-helpers', transform: (code) => removeUnusedHelpers(code, chunks) },
      // Not Rollup's polyfill, which requires a module by a computed name.
      { name: 'path-of-file', resolveImportMeta: () => (format === 'cjs' ? '__filename' : null) },
      ...(format === 'cjs' ? [rollupFilesOnUse] : []),
      { name: 'shorten', renderChunk: (code) => ({ code: shorten(code), map: null }) },
    ],
  })
  const { output } = await bundle.write({
    dir: join(root, 'dist'),
    format: format === 'cjs' ? 'cjs' : 'es',
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
    paths: protocolPath,
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
  const written = Object.fromEntries(
    output.map(({ fileName, moduleIds }) => [`dist/${fileName}`, moduleIds.flatMap(chunks.sourcesOf).sort()]),
  )
  const all = { ...written, ...(format === 'cjs' && (await writeProtocolFile())) }
  writeFileSync(join(root, `build/modules-${format}.json`), `${JSON.stringify(all, null, 2)}\n`)
}

/** Writes the ES module by which Node imports an entry point: the exports of the CommonJS file, for one copy. */
function writeImportedFile(name) {
  const path = join(root, `dist/${name}.cjs`)
  const exported = name === 'auto' ? '' : Object.keys(createRequire(import.meta.url)(path)).join(', ')
  writeFileSync(join(root, 'dist', importedFile(name)), codeOf())

  function codeOf() {
    if (exported === '') return `import './${name}.cjs'\n`
    if (!bundledEntries.includes(name)) return `import cjs from './${name}.cjs'\nexport const { ${exported} } = cjs\n`
    // Node reads a CommonJS file that is imported twice, for its exports, which takes 3 ms. The variable is what tools
    // follow that trace files, such as those of Next.js.
    const lines = ["import { createRequire } from 'node:module'", 'const require = createRequire(import.meta.url)']
    return [...lines, `export const { ${exported} } = require('./${name}.cjs')\n`].join('\n')
  }
}

/** Lets a bundler drop the bundled CommonJS packages where nothing uses them. */
function markInteropPure(code) {
  return code
    .replace(/= (__toESM\()(require_\w+\()/g, '= /* @__PURE__ */ $1/* @__PURE__ */ $2')
    .replace(/= (__commonJS\()/g, '= /* @__PURE__ */ $1')
}

/** Removes the import by which esbuild lets each entry point load its helper functions, also one that calls none. */
function removeUnusedHelpers(code, { names, inputsOf }) {
  return code.replace(/^import "\.\/([^"]+)";\n/gm, (statement, chunk) =>
    names.includes(chunk) && inputsOf(chunk).length === 0 ? '' : statement,
  )
}
