import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'

const faces = {
  index: 'src/index.ts',
  express: 'adapters/express.ts',
  fastify: 'adapters/fastify.ts',
  fetch: 'adapters/fetch.ts',
  hono: 'adapters/hono.ts',
  koa: 'adapters/koa.ts',
  node: 'adapters/node.ts',
  pino: 'src/pino.ts',
  winston: 'src/winston.ts',
  otlp: 'src/otlp.ts',
  rest: 'src/rest.ts',
  contract: 'src/contract.ts',
  instrument: 'src/instrument.ts',
}

/** Rooms that only `upkeep/rest` is made of. What they take from these files they find in the index under the same names. */
const toolkit = /\/src\/(api|openapi|paths|resources|schemas)\/[\w-]+\.ts$|\/src\/rest\.ts$/
const handedOn = new Set(
  [
    'clock',
    'errors/http-error',
    'http/conventions/json-text',
    'http/conventions/request-body',
    'http/conventions/request-type',
    'http/representation',
    'http/serve-routes',
    'report',
  ].map((path) => resolve(import.meta.dirname, `src/${path}.ts`)),
)

/** What other entries import and must not copy: built once a format, under these names. */
const shared = new Map([
  [resolve(import.meta.dirname, 'src/index.ts'), 'index'],
  [resolve(import.meta.dirname, 'adapters/fetch.ts'), 'fetch'],
  [resolve(import.meta.dirname, 'adapters/node.ts'), 'node'],
  [resolve(import.meta.dirname, 'src/contract.ts'), 'contract'],
])

const builtOnce: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'built-once',
  setup(build) {
    const extension = build.initialOptions.format === 'cjs' ? 'cjs' : 'js'
    build.onResolve({ filter: /\.ts$/ }, ({ importer, kind, path, resolveDir }) => {
      const target = resolve(resolveDir, path)
      const inIndex = toolkit.test(importer) && handedOn.has(target)
      const name = kind === 'entry-point' ? undefined : inIndex ? 'index' : shared.get(target)
      return name === undefined ? undefined : { path: `./${name}.${extension}`, external: true, sideEffects: false }
    })
  },
}

/** The command loads what it does when that is asked for, as an ES module: it begins with a probe in mind. */
const commandLoadsLate: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'command-loads-late',
  setup(build) {
    build.onResolve({ filter: /^\.\/contract-command\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './upkeep-contract.js', external: true } : undefined,
    )
  },
}

const common: Options = {
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  sourcemap: true,
  // For CommonJS, splitting sends the code through sucrase, which changes class fields and slows `?.` and `??`.
  splitting: false,
}

export default defineConfig(async () => {
  // All of them at once: several write into one folder.
  for (const folder of ['dist', 'build/examples']) await rm(folder, { recursive: true, force: true })
  return [
    {
      ...common,
      entry: faces,
      format: ['esm', 'cjs'],
      // zod's mini build is 34 kB bundled and loads in 4 ms; as a dependency it takes 45 ms at every import.
      // negotiator and its content-type: six files more at every import, and a third of what it takes.
      noExternal: ['zod', 'negotiator', 'content-type'],
      esbuildPlugins: [builtOnce],
      dts: {
        entry: faces,
        // tsup 8.5 hands its declaration build the `baseUrl` that TypeScript 6 deprecates.
        compilerOptions: { ignoreDeprecations: '6.0' },
      },
    },
    // CommonJS, which Node starts sooner.
    { ...common, entry: { upkeep: 'src/command/main.ts' }, format: 'cjs', esbuildPlugins: [commandLoadsLate] },
    {
      ...common,
      entry: { 'upkeep-contract': 'src/command/contract-command.ts' },
      format: 'esm',
      esbuildPlugins: [builtOnce],
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
      external: [/^upkeep/],
      skipNodeModulesBundle: true,
    },
  ]
})
