import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsup'

/** Builds `src/ids/uuid` as plain JavaScript, for threads without a test runner. Returns the folder and its URL. */
export async function buildIds(): Promise<{ readonly folder: string; readonly url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-ids-'))
  await build({
    config: false,
    entry: [resolve(import.meta.dirname, '../../src/ids/uuid/*.ts').replaceAll('\\', '/')],
    outDir: folder,
    format: 'esm',
    outExtension: () => ({ js: '.mjs' }),
    target: 'node20',
    splitting: true,
    silent: true,
  })
  return { folder, url: pathToFileURL(`${folder}/`).href }
}
