import { rm } from 'node:fs/promises'
import { defineConfig, type Options } from 'tsup'
import { entryPoints, loadedFiles } from './scripts/entry-points.mjs'
import { esbuildPrivateZod } from './scripts/private-zod.mjs'
import { esbuildWorkerSource } from './scripts/worker-source.mjs'

const library = Object.fromEntries(entryPoints.map(({ name, source }) => [name, source]))

const common: Options = { target: 'node20', platform: 'node', removeNodeProtocol: false }

export default defineConfig(async () => {
  for (const folder of ['dist', 'build/modules', 'build/examples']) await rm(folder, { recursive: true, force: true })
  return [
    {
      // Every module once, in small chunks; scripts/bundle.mjs writes them as the few files of dist/, in both formats.
      ...common,
      entry: { ...library, cli: 'src/cli/main.ts', ...loadedFiles },
      outDir: 'build/modules',
      format: 'esm',
      splitting: true,
      metafile: true,
      esbuildPlugins: [esbuildWorkerSource, esbuildPrivateZod],
      // zod's mini build is 34 kB bundled and loads in 4 ms; as a dependency it takes 45 ms at every import.
      // negotiator and its content-type: six files more at every import, and a third of what it takes.
      noExternal: ['zod', 'negotiator', 'content-type'],
      // Loaded where the application has them; no peers, so tsup would bundle them.
      external: [/^@opentelemetry\//],
    },
    // By the condition `edge-light`, in place of next.js.
    { ...common, entry: { 'next-edge': 'adapters/next/edge.ts' }, format: 'esm' },
    {
      ...common,
      entry: library,
      format: ['esm', 'cjs'],
      external: [/^@opentelemetry\//],
      dts: {
        only: true,
        entry: library,
        // tsup 8.5 passes the `baseUrl` that TypeScript 6 deprecates to its declaration build.
        compilerOptions: { ignoreDeprecations: '6.0' },
      },
    },
    {
      ...common,
      entry: ['examples/*.ts', 'examples/*/main.ts'],
      outDir: 'build/examples',
      esbuildOptions: (options) => {
        options.outbase = 'examples'
      },
      format: 'esm',
      bundle: true,
      sourcemap: true,
      splitting: false,
      external: [/^upkeep/],
      skipNodeModulesBundle: true,
    },
  ]
})
