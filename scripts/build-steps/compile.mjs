// Compiles source files with esbuild.
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { esbuildPageFiles } from '../page-files.mjs'
import { esbuildWorkerSource } from '../worker-source.mjs'
import { esbuildFilesOnUse } from './files-on-use.mjs'
import { esbuildPrivateZod } from './private-zod.mjs'
import { esbuildProtocolFile } from './protocol-file.mjs'

const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
}

/**
 * Compiles files of the package as ES modules: each source file once, in one chunk for each set of files that need it.
 *
 * What is no peer is bundled. zod's mini build is 34 kB bundled and loads in 4 ms; as a dependency it takes 45 ms at
 * every import. negotiator and its content-type: six files more at every import, and a third of what it takes.
 *
 * @param {Readonly<Record<string, string>>} entries the source of each file
 * @param {string} outdir
 * @param {{ readonly loadsOnUse?: boolean }} [options] whether other entries are files that are loaded on use
 */
export async function compilePackage(entries, outdir, { loadsOnUse = false } = {}) {
  const { metafile, programs } = await build({
    ...common,
    entryPoints: entries,
    outdir,
    splitting: true,
    metafile: true,
    plugins: [
      ...(loadsOnUse ? [esbuildFilesOnUse] : []),
      ...[esbuildWorkerSource, esbuildPageFiles, esbuildPrivateZod, esbuildProtocolFile],
    ],
    // OpenTelemetry is loaded where the application has it; it is no peer, so esbuild would bundle it.
    external: ['@opentelemetry/*', ...Object.keys(peerDependencies)],
  })
  return { metafile, programs }
}

/**
 * Compiles examples, each into one file that imports packages, upkeep among them.
 *
 * @param {readonly string[]} entryPoints
 * @param {string} outdir
 * @param {{ readonly outbase?: string }} [options] the folder of the entry points that becomes `outdir`
 */
export async function compileExamples(entryPoints, outdir, { outbase = 'examples' } = {}) {
  const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } }
  await build({ ...common, entryPoints, outdir, outbase, tsconfigRaw, sourcemap: true, packages: 'external' })
}
