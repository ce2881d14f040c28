import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { failure } from '../../base/errors.ts'

/** The end of the names of files that are not complete yet. */
const unfinished = '.tmp'

const unfinishedBytes = 12

/** Returns whether a name is one of a file that is not complete yet. */
export function isUnfinished(name: string): boolean {
  return name.length === 2 * unfinishedBytes + unfinished.length && name.endsWith(unfinished)
}

/** A file that is open and not complete yet. */
interface UnfinishedFile {
  readonly path: string
  readonly fd: number
}

/**
 * Writes a file that appears under its name when it is complete. On an error it does not appear. `modified` is its time
 * of modification in seconds. @default now
 */
export function writeWhole(directory: string, name: string, content: Uint8Array, modified?: number): void {
  const file = createUnfinished(directory, (fd) => {
    writeAll(fd, content, 0)
    if (modified !== undefined) futimesSync(fd, modified, modified)
  })
  closeSync(file.fd)
  finish(file, join(directory, name))
}

/** Creates a file under a temporary name, open for reading and writing, and lets `write` fill it. */
export function createUnfinished(directory: string, write: (fd: number) => void): UnfinishedFile {
  const path = join(directory, `${randomBytes(unfinishedBytes).toString('hex')}${unfinished}`)
  const fd = openSync(path, 'wx+', 0o600)
  try {
    write(fd)
  } catch (error) {
    closeSync(fd)
    rmSync(path, { force: true })
    throw error
  }
  return { path, fd }
}

/** Gives a file its name, in place of another one with that name. On an error it is removed. */
export function finish({ path }: UnfinishedFile, name: string): void {
  try {
    renameSync(path, name)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Writes all bytes at a position. Throws if the disk takes only some of them. */
export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.byteLength; ) {
    at += writeSync(fd, bytes, at, bytes.byteLength - at, position + at)
  }
}

/** Reads bytes at a position; fewer at the end of the file. */
export function readBytes(fd: number, position: number, length: number): Buffer {
  // Not from the pool, so that the bytes can be seen as numbers, and not filled with zeros first.
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  while (at < length) {
    const count = readSync(fd, bytes, at, length - at, position + at)
    if (count === 0) break
    at += count
  }
  return bytes.subarray(0, at)
}

/**
 * Opens a regular file of this user, lets `read` read it, and closes it. Follows no symbolic link and waits for no
 * writer of a pipe. Returns `undefined` if it does not exist; throws an error with a reason for anything else.
 */
export function withOwnFile<T>(path: string, maxSize: number, read: (fd: number, stats: Stats) => T): T | undefined {
  const fd = openExisting(path)
  if (fd === undefined) return undefined
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw failure('UPKEEP_ECLUSTER', 'not a regular file')
    if (process.getuid !== undefined && stats.uid !== process.getuid())
      throw failure('UPKEEP_ECLUSTER', `owned by user ${stats.uid}`)
    if (stats.size > maxSize) throw failure('UPKEEP_ECLUSTER', `${stats.size} bytes, more than ${maxSize}`)
    return read(fd, stats)
  } finally {
    closeSync(fd)
  }
}

function openExisting(path: string): number | undefined {
  try {
    // Systems without these flags have no such files.
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw code === 'ELOOP' ? failure('UPKEEP_ECLUSTER', 'a symbolic link') : error
  }
}
