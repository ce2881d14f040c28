import { existsSync } from 'node:fs'

/** Returns whether a path exists, and Node's permission model permits to read it. */
export function canRead(path: string): boolean {
  try {
    return existsSync(path)
  } catch {
    return false
  }
}
