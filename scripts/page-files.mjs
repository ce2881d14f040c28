// Imports that end in `?page-files` are the files of a web page, bundled and compressed into strings: for the build, which
// uses esbuild, and for the tests, which use Vite.
import { createHash } from 'node:crypto'
import { dirname, relative, resolve } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const suffix = '?page-files'

/** Returns a module that exports the `script` and the `style` of a page: the hash and the compressed content of each. */
async function moduleOf(path) {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
  })
  const file = (extension) => {
    const content = outputFiles.find((each) => each.path.endsWith(extension))?.contents
    if (content === undefined) throw new Error(`${path}: expected that it is bundled into a ${extension} file`)
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
    const gzip = gzipSync(content, { level: constants.Z_BEST_COMPRESSION }).toString('base64')
    return JSON.stringify({ hash, gzip })
  }
  return {
    text: `export const script = ${file('.js')}\nexport const style = ${file('.css')}\n`,
    inputs: Object.keys(metafile.inputs),
  }
}

/** @type {import('esbuild').Plugin} */
export const esbuildPageFiles = {
  name: 'page-files',
  setup({ onResolve, onLoad, onEnd }) {
    const pages = {}
    onResolve({ filter: /\?page-files$/ }, ({ path, resolveDir }) => ({
      path: relative(process.cwd(), resolve(resolveDir, path.slice(0, -suffix.length))),
      namespace: 'page-files',
    }))
    onLoad({ filter: /./, namespace: 'page-files' }, async ({ path }) => {
      const { text, inputs } = await moduleOf(path)
      pages[path] = inputs
      return { contents: text, loader: 'js' }
    })
    // The packages among them are distributed, too, as those of the programs of worker threads.
    onEnd((result) => {
      result.programs = { ...result.programs, ...pages }
    })
  },
}

export const vitePageFiles = {
  name: 'page-files',
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
