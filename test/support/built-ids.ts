import { readdirSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const sources = resolve(import.meta.dirname, '../../src/ids/uuid')

/** Builds `src/ids/uuid` as plain JavaScript, for threads without a test runner. Returns the folder and its URL. */
export async function buildIds(): Promise<{ readonly folder: string; readonly url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-ids-'))
  await build({
    entryPoints: readdirSync(sources).map((name) => join(sources, name)),
    bundle: true,
    splitting: true,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  return { folder, url: pathToFileURL(`${folder}/`).href }
}
