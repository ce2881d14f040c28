import { lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { failure } from '../../base/errors.ts'

const groupAndOthers = 0o077
const writableByOthers = 0o002
const sticky = 0o1000

/**
 * Returns `<base>/upkeep-<uid>`, and creates it: below `$XDG_RUNTIME_DIR` if that is this user's, otherwise below
 * `os.tmpdir()`. Throws if it belongs to someone else.
 */
export function defaultBase(): string {
  const path = basePath()
  preparePrivateDirectory(path)
  return path
}

/** Returns the same path, but creates nothing: it need not exist. Throws if it belongs to someone else. */
export function defaultBaseToRead(): string {
  const path = basePath()
  checkPrivateDirectory(path)
  return path
}

function basePath(): string {
  return join(runtimeDirectory() ?? tmpdir(), `upkeep-${process.getuid?.() ?? userInfo().username}`)
}

/**
 * Creates a directory with mode 0700, its parents too. Throws unless it is a directory of this user, to which no other
 * user has access and which no other user can replace.
 */
export function preparePrivateDirectory(path: string): void {
  const absolute = resolve(path)
  mkdirSync(dirname(absolute), { recursive: true, mode: 0o700 })
  try {
    mkdirSync(absolute, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  checkPrivateDirectory(absolute)
}

/** Throws unless a path is a private directory of this user, or nothing. */
export function checkPrivateDirectory(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  const reason = whyNotPrivate(stats) ?? whyReplaceable(realpathSync(dirname(path)))
  if (reason !== undefined) throw failure('UPKEEP_ECLUSTER', `${path}: ${reason}`)
}

function whyNotPrivate(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'expected a directory, received a symbolic link'
  if (!stats.isDirectory()) return 'expected a directory, received a file'
  const user = process.getuid?.()
  if (user === undefined) return undefined
  if (stats.uid !== user) return `expected a directory of user ${user}, received one of user ${stats.uid}`
  if ((stats.mode & groupAndOthers) === 0) return undefined
  return `expected mode 0700, received 0${(stats.mode & 0o777).toString(8)}: other users have access`
}

function whyReplaceable(parent: string): string | undefined {
  const { mode } = statSync(parent)
  if (process.getuid === undefined || (mode & writableByOthers) === 0 || (mode & sticky) !== 0) return undefined
  return `other users can replace it: everyone may write to ${parent}, which has no sticky bit`
}

function runtimeDirectory(): string | undefined {
  const path = process.env['XDG_RUNTIME_DIR']
  if (path === undefined || !isAbsolute(path)) return undefined
  try {
    return whyNotPrivate(lstatSync(path)) === undefined ? path : undefined
  } catch {
    return undefined
  }
}
