import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const exported = {
  'trace-context/trace-ids': 'createTraceIds',
  'trace-context/traceparent': 'formatTraceparent, parseTraceparent',
  'uuid/name-uuid': 'uuidV3, uuidV5',
  'uuid/parse-uuid': 'parseUuid',
  'uuid/uuid-bytes': 'uuidToBytes',
  'uuid/uuid-constants': 'uuidNamespaces',
  'uuid/uuid-text': 'isUuid',
  'uuid/uuid-v1': 'uuidV1',
  'uuid/uuid-v4': 'createUuidV4, uuidV4',
  'uuid/uuid-v6': 'createUuidV6, uuidV6',
  'uuid/uuid-v7': 'createUuidV7, uuidV7',
}

/**
 * Bundles the functions of `src/ids` that are timed into one file, as in the package; other exports would slow them
 * down.
 */
export async function buildIds() {
  const folder = new URL('../build/bench/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const lines = Object.entries(exported).map(([file, names]) => `export { ${names} } from '../../src/ids/${file}.ts'\n`)
  writeFileSync(new URL('ids.ts', folder), lines.join(''))
  await build({
    entryPoints: [fileURLToPath(new URL('ids.ts', folder))],
    bundle: true,
    outdir: fileURLToPath(folder),
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  return import(new URL('ids.js', folder).href)
}
