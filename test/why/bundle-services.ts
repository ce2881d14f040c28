import { mkdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { built } from '../support/built.ts'

const root = resolve(import.meta.dirname, '../..')

/** Sources that are compiled into strings: none of them is used by a service here. */
const compiled = /\?(?:worker-source|page-files)$/

const sources = (entries: readonly Entry[]): Plugin => ({
  name: 'sources of upkeep',
  setup(builder) {
    const paths = new Map(entries.map(({ specifier, source }) => [specifier, source]))
    builder.onResolve({ filter: /^upkeep(\/|$)/ }, ({ path }) => ({ path: resolve(root, paths.get(path) ?? '') }))
    builder.onResolve({ filter: compiled }, ({ path }) => ({ path, namespace: 'compiled' }))
    builder.onLoad({ filter: /./, namespace: 'compiled' }, () => ({
      contents: "export const source = '', script = undefined, style = undefined",
    }))
  },
})

const packed = (entries: readonly Entry[]): Plugin => ({
  name: 'the packed package',
  setup(builder) {
    const names = new Map(entries.map(({ specifier, name }) => [specifier, name]))
    builder.onResolve({ filter: /^upkeep(\/|$)/ }, ({ path }) => ({
      path: built(`build/node_modules/upkeep/dist/${names.get(path)}.mjs`),
      external: true,
    }))
  },
})

interface Entry {
  readonly specifier: string
  readonly name: string
  readonly source: string
}

/** The programs of services, one for each file, and a function that removes them. */
export interface Bundled {
  readonly programs: ReadonlyMap<string, string>
  readonly remove: () => void
}

/** Bundles the service of each file as a program of its own: with the sources of upkeep, or for the packed package. */
export async function bundleServices(
  files: readonly string[],
  { isPacked = false }: { readonly isPacked?: boolean } = {},
): Promise<Bundled> {
  const { entryPoints } = await import('../../scripts/entry-points.mjs')
  const entries = entryPoints as readonly Entry[]
  const folder = join(root, 'node_modules/.cache', `why-${process.pid}-${isPacked ? 'packed' : 'sources'}`)
  mkdirSync(folder, { recursive: true })
  const programs = new Map<string, string>()
  await Promise.all(
    files.map(async (file) => {
      const outfile = join(folder, basename(file).replace(/\.ts$/, '.mjs'))
      const imports = `import { incident } from ${JSON.stringify(file)}; import { serve } from './serve.ts'`
      await build({
        stdin: { contents: `${imports}; serve(incident)`, resolveDir: import.meta.dirname },
        ...{ bundle: true, platform: 'node', target: 'node20', format: 'esm', packages: 'external', outfile },
        plugins: [isPacked ? packed(entries) : sources(entries)],
        logLevel: 'error',
      })
      programs.set(file, outfile)
    }),
  )
  return { programs, remove: () => rmSync(folder, { recursive: true }) }
}
