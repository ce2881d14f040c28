import { execFileSync } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the path of an installed program in `PATH` or in the folders of server packages. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', ...postgresFolders()]
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

/** Returns the user for a server that refuses to run as root; `undefined` unless this process is root. */
export function userOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const readId = (option: string): number => Number(execFileSync('id', [option, name], { encoding: 'utf8' }))
  return process.getuid?.() === 0 ? { uid: readId('-u'), gid: readId('-g') } : undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Debian installs the server programs of each version in a folder outside `PATH`; newest first. */
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
