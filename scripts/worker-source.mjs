// Imports that end in `?worker-source` are the program of a worker thread, bundled into a string: for the build, which
// uses esbuild, and for the tests, which use Vite.
import { dirname, relative, resolve } from 'node:path'
// biome-ignore lint/correctness/noUndeclaredDependencies: the version with which tsup builds the rest
import { build } from 'esbuild'

const suffix = '?worker-source'

/**
 * Returns a module that exports a program as `source`: bundled as CommonJS, which is what
 * `new Worker(source, { eval: true })` evaluates.
 */
async function moduleOf(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    charset: 'utf8',
  })
  return `export const source = ${JSON.stringify(outputFiles[0].text)}`
}

/** @type {import('esbuild').Plugin} */
export const esbuildWorkerSource = {
  name: 'worker-source',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?worker-source$/ }, ({ path, resolveDir }) => ({
      path: relative(process.cwd(), resolve(resolveDir, path.slice(0, -suffix.length))),
      namespace: 'worker-source',
    }))
    onLoad({ filter: /./, namespace: 'worker-source' }, async ({ path }) => ({
      contents: await moduleOf(path),
      loader: 'js',
    }))
  },
}

export const viteWorkerSource = {
  name: 'worker-source',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!source.endsWith(suffix)) return null
    return `\0${resolve(dirname(importer), source.slice(0, -suffix.length))}${suffix}`
  },
  async load(id) {
    if (!id.startsWith('\0') || !id.endsWith(suffix)) return null
    return moduleOf(id.slice(1, -suffix.length))
  },
}
