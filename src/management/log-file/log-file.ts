import type { FileHandle } from 'node:fs/promises'
import { lazy } from '../../base/lazy.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { RangedContent } from '../../http/representation.ts'

const files = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:fs/promises'))

/** How many bytes are read at a time. */
const chunkBytes = 65_536

/** A log file as it was when it was requested. */
interface LogFile {
  readonly content: RangedContent
  /** Milliseconds since the epoch. */
  readonly lastModified: number
}

/**
 * Returns a file with the size that it has now: what is appended later is not part of it.
 *
 * @throws HttpError 404 if there is no such file, 501 if Node's permission model does not allow to read it.
 */
export async function openLogFile(path: string): Promise<LogFile> {
  const { ino, size, mtimeNs, mtimeMs } = await statFile(path)
  return {
    content: {
      size: Number(size),
      entityTag: [ino, size, mtimeNs].map((number) => number.toString(36)).join('-'),
      read: (first, last) => readBytes(path, ino, first, last),
    },
    lastModified: Number(mtimeMs),
  }
}

async function statFile(path: string) {
  try {
    const stats = await files().stat(path, { bigint: true })
    // Opening a pipe or a device could take forever.
    if (!stats.isFile()) throw new HttpError(404, 'The log file is not a regular file.')
    return stats
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new HttpError(404, 'The log file does not exist.')
    if (code === 'ERR_ACCESS_DENIED') throw notPermitted(error)
    throw error
  }
}

function notPermitted(cause: unknown): HttpError {
  return new HttpError(501, "Node's permission model does not allow to read the log file; use --allow-fs-read.", {
    cause,
  })
}

/** Reads the bytes of one file: after a rotation there is another one under its name, whose bytes do not belong here. */
async function* readBytes(path: string, ino: bigint, first: number, last: number): AsyncGenerator<Uint8Array> {
  const file = await files().open(path)
  try {
    const stats = await file.stat({ bigint: true })
    if (stats.ino !== ino || Number(stats.size) <= last) throw rotated()
    for (let at = first; at <= last; ) {
      const chunk = await readChunk(file, at, Math.min(chunkBytes, last - at + 1))
      yield chunk
      at += chunk.length
    }
  } finally {
    await file.close()
  }
}

/** Throws if the file has become shorter: a response that ends too early must not look complete. */
async function readChunk(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
  if (bytesRead === 0) throw rotated()
  return buffer.subarray(0, bytesRead)
}

function rotated(): HttpError {
  return new HttpError(503, 'The log file was rotated; repeat the request.', { headers: { 'Retry-After': '1' } })
}
