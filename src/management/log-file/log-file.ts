import type { FileHandle } from 'node:fs/promises'
import { lazy } from '../../base/lazy.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { RangedContent } from '../../http/representation.ts'
import { readRegularFile, statRegularFile } from '../regular-file.ts'

const files = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:fs/promises'))

const name = 'The log file'

/** How many bytes are read at a time. */
const chunkBytes = 65_536

/** For how long the file stays open for a reader that pauses. */
const idleMilliseconds = 5_000

/** A log file as it was when it was requested. */
interface LogFile {
  readonly content: RangedContent
  /** Milliseconds since the epoch. */
  readonly lastModified: number
}

/**
 * Returns a file with the size that it has now: what is appended later is not part of it.
 *
 * @throws HttpError as `statRegularFile`.
 */
export async function openLogFile(path: string): Promise<LogFile> {
  const { ino, size, mtimeNs, mtimeMs } = await statRegularFile(path, name)
  return {
    content: {
      size: Number(size),
      entityTag: [ino, size, mtimeNs].map((number) => number.toString(36)).join('-'),
      read: (first, last) => readBytes(path, ino, first, last),
    },
    lastModified: Number(mtimeMs),
  }
}

async function* readBytes(path: string, ino: bigint, first: number, last: number): AsyncGenerator<Uint8Array> {
  const reader = new FileReader(path, ino, last)
  try {
    for (let at = first; at <= last; ) {
      const chunk = await reader.read(at, Math.min(chunkBytes, last - at + 1))
      yield chunk
      at += chunk.length
    }
  } finally {
    await reader.close()
  }
}

/**
 * Reads the bytes of one file: after a rotation there is another one under its name, whose bytes do not belong here.
 * The file is closed while nothing reads: not every framework ends the content of a response that it cannot send.
 */
class FileReader {
  readonly #path: string
  readonly #ino: bigint
  readonly #last: number
  #file: FileHandle | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(path: string, ino: bigint, last: number) {
    this.#path = path
    this.#ino = ino
    this.#last = last
  }

  /** Throws if the file has become shorter: a response that ends too early must not look complete. */
  async read(position: number, length: number): Promise<Uint8Array> {
    clearTimeout(this.#idle)
    const file = this.#file ?? (await this.#open())
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
    if (bytesRead === 0) throw rotated()
    this.#idle = setUnrefTimeout(() => void this.close().catch(() => {}), idleMilliseconds)
    return buffer.subarray(0, bytesRead)
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  async #open(): Promise<FileHandle> {
    const file = await readRegularFile(name, () => files().open(this.#path))
    this.#file = file
    const { ino, size } = await file.stat({ bigint: true })
    if (ino !== this.#ino || Number(size) <= this.#last) throw rotated()
    return file
  }
}

function rotated(): HttpError {
  return new HttpError(503, 'The log file was rotated; repeat the request.', { headers: { 'Retry-After': '1' } })
}
