// Imports that end in `?worker-source` are the program of a worker thread, bundled into a string: for the build, which
// uses esbuild, and for the tests, which use Vite.
import { dirname, relative, resolve } from 'node:path'
import { build } from 'esbuild'

const suffix = '?worker-source'

/**
 * Returns a module that exports a program as `source`: bundled as CommonJS, which is what
 * `new Worker(source, { eval: true })` evaluates.
 */
async function moduleOf(path) {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
  })
  return {
    text: `export const source = ${JSON.stringify(outputFiles[0].text)}`,
    inputs: Object.keys(metafile.inputs),
  }
}

/** @type {import('esbuild').Plugin} */
export const esbuildWorkerSource = {
  name: 'worker-source',
  setup({ onResolve, onLoad, onEnd }) {
    const programs = {}
    onResolve({ filter: /\?worker-source$/ }, ({ path, resolveDir }) => ({
      path: relative(process.cwd(), resolve(resolveDir, path.slice(0, -suffix.length))),
      namespace: 'worker-source',
    }))
    onLoad({ filter: /./, namespace: 'worker-source' }, async ({ path }) => {
      const { text, inputs } = await moduleOf(path)
      programs[path] = inputs
      return { contents: text, loader: 'js' }
    })
    // The packages among them are distributed, too; the metafile of the build does not know them.
    onEnd((result) => {
      result.programs = { ...result.programs, ...programs }
    })
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
    return (await moduleOf(id.slice(1, -suffix.length))).text
  },
}
