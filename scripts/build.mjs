// Builds what is published, in dist/, and in build/ the examples and the packed package as it is installed. Ends at once
// if nothing that it depends on has changed. Usage: npm run build
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compileExamples, compilePackage } from './build-steps/compile.mjs'
import { entriesOnUse } from './build-steps/files-on-use.mjs'
import { buildIfChanged, packageBuild } from './build-steps/record.mjs'
import { bundledEntries, entryPoints, loadedFiles } from './entry-points.mjs'
import { frameworks } from './example.mjs'

const root = resolve(import.meta.dirname, '..')
const library = Object.fromEntries(entryPoints.map(({ name, source }) => [name, source]))

const isNew = await buildIfChanged(root, packageBuild, async () => {
  for (const folder of ['dist', 'build/modules', 'build/examples']) {
    rmSync(join(root, folder), { recursive: true, force: true })
  }
  mkdirSync(join(root, 'dist'))
  // Side by side: on two cores the declarations take no time of their own.
  await Promise.all([
    run('declarations.mjs'),
    writeCode(),
    run('docs.mjs'),
    compileExamples(examples(), 'build/examples'),
  ])
  await run('sbom.mjs')
  await run('install-packed.mjs')
})
console.log(isNew ? 'Built dist/ and build/.' : 'dist/ and build/ are up to date.')

async function writeCode() {
  // By the condition `edge-light`, in place of next.js.
  const edge = compilePackage({ 'next-edge': 'adapters/next/edge.ts' }, 'dist')
  const bundled = Object.fromEntries(Object.entries(library).filter(([name]) => bundledEntries.includes(name)))
  await Promise.all([
    compile('esm', bundled),
    compile('cjs', { ...library, cli: 'src/cli/main.ts', ...loadedFiles, ...entriesOnUse }, { loadsOnUse: true }),
  ])
  await run('bundle.mjs')
  await edge
}

/** Compiles the modules of a format, of which `bundle.mjs` makes files. */
async function compile(format, entries, options) {
  const folder = `build/modules/${format}`
  const { metafile, programs } = await compilePackage(entries, folder, options)
  writeFileSync(join(root, folder, 'metafile.json'), JSON.stringify(metafile))
  writeFileSync(join(root, folder, 'worker-sources.json'), JSON.stringify(programs))
}

/** Returns the examples that consist of one file, the main file of the others, and the service of each framework. */
function examples() {
  const names = readdirSync(join(root, 'examples'))
  const mains = names.map((name) => `${name}/main.ts`).filter((path) => existsSync(join(root, 'examples', path)))
  const services = frameworks(root).map((name) => `services/${name}.ts`)
  return [...names.filter((name) => name.endsWith('.ts')), ...mains, ...services].map((path) => `examples/${path}`)
}

/** Runs a script of the build in a process of its own. */
async function run(script) {
  const child = spawn(process.execPath, [join(root, 'scripts/build-steps', script)], { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exit(1)
}
