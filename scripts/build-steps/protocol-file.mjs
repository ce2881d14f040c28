// The SDK of the Model Context Protocol, and the zod that it needs, in one minified file that only `upkeep mcp` loads:
// split into chunks with the rest it would add its parts of zod to what `upkeep` itself loads.
import { join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { esbuildPrivateZod } from './private-zod.mjs'

const root = resolve(import.meta.dirname, '../..')
const source = 'src/cli/mcp/sdk.ts'
const file = 'dist/cli-mcp-sdk.cjs'

/** The name by which the chunks import the file, until Rollup writes its path. */
const specifier = 'upkeep-mcp-sdk'

/** For Rollup's `output.paths`. */
export const protocolPath = { [specifier]: './cli-mcp-sdk.cjs' }

/**
 * Keeps the SDK out of the chunks.
 *
 * @type {import('esbuild').Plugin}
 */
export const esbuildProtocolFile = {
  name: 'protocol-file',
  setup({ onResolve }) {
    onResolve({ filter: /\/sdk\.ts$/ }, ({ path, resolveDir }) =>
      relative(root, join(resolveDir, path)) === source ? { path: specifier, external: true } : undefined,
    )
  },
}

/**
 * What the SDK imports and this server does not use: ajv checks what a client replies to a question of the server, and
 * zod-to-json-schema is for schemas of zod 3. They are half of the bytes.
 */
const unused = {
  'ajv-provider.js': 'export class AjvJsonSchemaValidator {}',
  'zod-to-json-schema': 'export const zodToJsonSchema = undefined',
}

/** @type {import('esbuild').Plugin} */
const esbuildUnusedParts = {
  name: 'unused-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /(?:\/ajv-provider\.js|^zod-to-json-schema)$/ }, ({ path }) => ({
      path: path.slice(path.lastIndexOf('/') + 1),
      namespace: 'unused-parts',
    }))
    onLoad({ filter: /./, namespace: 'unused-parts' }, ({ path }) => ({ contents: unused[path] }))
  },
}

/** Writes the file, and returns the source files of it by its path. */
export async function writeProtocolFile() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: file,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    legalComments: 'none',
    plugins: [esbuildPrivateZod, esbuildUnusedParts],
  })
  const { inputs } = metafile.outputs[file]
  const used = Object.keys(inputs).filter(
    (input) => inputs[input].bytesInOutput > 0 && !input.includes('unused-parts:'),
  )
  return { [file]: [...new Set([source, ...used])].sort() }
}
