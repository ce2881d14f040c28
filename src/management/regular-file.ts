import { HttpError } from '../http/errors/http-error.ts'

const codes = {
  missing: ['ENOENT', 'ENOTDIR'],
  unreadable: ['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'],
}

/** What is used of the state of a file. */
interface RegularFile {
  readonly ino: bigint
  /** Bytes. */
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly mtimeMs: bigint
}

/**
 * Returns the state of a file that an option names; `file` is its name in errors, such as `The log file`.
 *
 * @throws HttpError 404 if there is no such file or it cannot be read, 501 if Node's permission model prevents that.
 */
export async function statRegularFile(path: string, file: string): Promise<RegularFile> {
  const stats = await readRegularFile(file, () =>
    process.getBuiltinModule('node:fs/promises').stat(path, { bigint: true }),
  )
  // Opening a pipe or a device could take forever.
  if (!stats.isFile()) throw new HttpError(404, `${file} is not a regular file.`)
  return stats
}

/** Runs `read`, whose errors are replaced as `statRegularFile` describes. */
export async function readRegularFile<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (codes.missing.includes(code)) throw new HttpError(404, `${file} does not exist.`, { cause })
    if (codes.unreadable.includes(code)) throw new HttpError(404, `${file} cannot be read.`, { cause })
    if (code !== 'ERR_ACCESS_DENIED') throw cause
    const detail = `${file} cannot be read: Node's permission model requires --allow-fs-read.`
    throw new HttpError(501, detail, { cause })
  }
}
