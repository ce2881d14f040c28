import { execFileSync } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The path of an installed program, looked for in `PATH` and in the folders where servers keep theirs. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', ...postgresFolders()]
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

/** The user that a server runs as where this process is root and the server refuses to be; `undefined` for this one. */
export function userOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const ask = (option: string): number => Number(execFileSync('id', [option, name], { encoding: 'utf8' }))
  return process.getuid?.() === 0 ? { uid: ask('-u'), gid: ask('-g') } : undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Debian keeps the server's programs of each version apart, and out of `PATH`; the newest comes first. */
function postgresFolders(): readonly string[] {
  const versions = '/usr/lib/postgresql'
  try {
    return readdirSync(versions)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(versions, version, 'bin'))
  } catch {
    return []
  }
}
