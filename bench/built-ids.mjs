import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const exported = {
  'is-uuid': 'isUuid',
  'parse-uuid': 'parseUuid',
  'trace-ids': 'createTraceIds',
  traceparent: 'formatTraceparent, parseTraceparent',
  'uuid-bytes': 'uuidToBytes',
  'uuid-namespaces': 'uuidNamespaces',
  'uuid-v1': 'uuidV1',
  'uuid-v3': 'uuidV3',
  'uuid-v4': 'createUuidV4, uuidV4',
  'uuid-v5': 'uuidV5',
  'uuid-v6': 'createUuidV6, uuidV6',
  'uuid-v7': 'createUuidV7, uuidV7',
}

/** What is timed of `src/ids`, in one file as in the package, and no more: what is exported is reached in a slower way. */
export async function buildIds() {
  const folder = new URL('../build/bench/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const lines = Object.entries(exported).map(([file, names]) => `export { ${names} } from '../../src/ids/${file}.ts'\n`)
  writeFileSync(new URL('ids.ts', folder), lines.join(''))
  await build({
    config: false,
    entry: [fileURLToPath(new URL('ids.ts', folder))],
    outDir: fileURLToPath(folder),
    format: 'esm',
    target: 'node20',
    splitting: false,
    silent: true,
  })
  return import(new URL('ids.js', folder).href)
}
