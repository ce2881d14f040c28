import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Returns the path of a build output. Throws unless it exists. */
export function built(path: string): string {
  const file = resolve(root, path)
  if (!existsSync(file)) throw new Error(`${file} does not exist: run npm run build`)
  return file
}
