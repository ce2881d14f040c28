import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsup'

/** Builds `src/ids` as plain JavaScript, for threads that no test runner has prepared, and answers its folder's URL. */
export async function buildIds(): Promise<{ readonly folder: string; readonly url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-ids-'))
  await build({
    config: false,
    entry: [resolve(import.meta.dirname, '../../src/ids/*.ts').replaceAll('\\', '/')],
    outDir: folder,
    format: 'esm',
    outExtension: () => ({ js: '.mjs' }),
    target: 'node20',
    splitting: true,
    silent: true,
  })
  return { folder, url: pathToFileURL(`${folder}/`).href }
}
