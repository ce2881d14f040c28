// Writes the declarations of the entry points to dist/, once for both formats: as CommonJS, `.d.cts`, and for ES modules
// a `.d.ts` that re-exports them. The other way round TypeScript refuses: CommonJS may not import an ES module (TS1479)
// where `module` is `node16`. Usage: node scripts/build-steps/declarations.mjs
//
// The sources have `isolatedDeclarations`, so that each file's declarations follow from its own text. Whether the types
// are right is for `npm run typecheck`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { entryPoints } from '../entry-points.mjs'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')

const bundle = await rollup({
  input: Object.fromEntries(entryPoints.map(({ name, source }) => [name, declarationOf(join(root, source))])),
  onwarn: (warning) => {
    throw new Error(`rollup: ${warning.message}`)
  },
  plugins: [{ name: 'declarations-of-sources', resolveId, load }, dts()],
})
await bundle.write({
  dir: dist,
  entryFileNames: '[name].d.cts',
  chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}.d.cts`,
  hoistTransitiveImports: false,
})
await bundle.close()
mkdirSync(dist, { recursive: true })
for (const { name } of entryPoints) writeFileSync(join(dist, `${name}.d.ts`), `export * from './${name}.cjs'\n`)

function resolveId(specifier, importer) {
  if (importer === undefined) return specifier
  if (!specifier.startsWith('.')) return { id: specifier, external: true }
  return declarationOf(resolve(dirname(importer), specifier))
}

/** Returns the path that the declarations of a source file would have beside it; rollup-plugin-dts expects it. */
function declarationOf(source) {
  return source.replace(/\.ts$/, '.d.ts')
}

function load(id) {
  const source = id.replace(/\.d\.ts$/, '.ts')
  const { code, errors } = isolatedDeclarationSync(source, readFileSync(source, 'utf8'))
  const [error] = errors
  if (error !== undefined) throw new Error(`${relative(root, source)}: ${error.message}\n${error.codeframe ?? ''}`)
  // Oxc drops the space before the asterisks of doc comments.
  return code.replace(/^(\s*)(?=\*)/gm, '$1 ')
}
