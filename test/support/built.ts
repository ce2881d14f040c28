import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The path of something that `npm run build` makes. */
export function built(path: string): string {
  const file = resolve(root, path)
  if (!existsSync(file)) throw new Error(`${file} is not there: run npm run build`)
  return file
}
