import { join } from 'node:path'
import { failure } from '../../base/errors.ts'
import { isCaptureId, type StoredCapture } from './capture.ts'
import type { CaptureMedium } from './capture-shelf.ts'

const extensions: Readonly<Record<StoredCapture['type'], string>> = {
  wall: 'cpuprofile',
  heap: 'heapprofile',
  report: 'json',
}

/** Ends the name of a file that describes a capture. It is written last, so that an incomplete capture has none. */
const description = '.capture.json'

/** More files are not read, nor larger descriptions. */
const maxFiles = 1_000
const maxDescription = 256 * 1_024

/** A file that has no description after so many milliseconds never gets one: its process was ended. */
const incompleteMilliseconds = 60_000

/**
 * Returns a medium that keeps captures in a directory, which is created if it does not exist: a file that DevTools
 * opens, and a description. Other processes may use the same directory. Rejects if it cannot be used, or if others than
 * its owner have access to it.
 */
export async function openCaptureDirectory(directory: string): Promise<CaptureMedium> {
  const { mkdir, open, readdir, readFile, rename, rm, stat } = process.getBuiltinModule('node:fs/promises')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await requirePrivate(directory)
  await removeIncomplete()

  return {
    async list() {
      const names = (await namesIn()).filter((name) => name.endsWith(description))
      const found = await Promise.all(names.sort().slice(-maxFiles).map(readDescription))
      return found.filter((capture) => capture !== undefined)
    },
    async write(capture, content) {
      try {
        await writePrivately(contentPath(capture), content)
        await writePrivately(join(directory, capture.id + description), Buffer.from(JSON.stringify(capture)))
      } catch (error) {
        await remove(capture)
        throw error
      }
    },
    async read(capture) {
      try {
        return await readFile(contentPath(capture))
      } catch {
        return undefined
      }
    },
    remove,
  }

  function contentPath({ id, type }: StoredCapture): string {
    return join(directory, `${id}.${extensions[type]}`)
  }

  async function remove(capture: StoredCapture): Promise<void> {
    const paths = [join(directory, capture.id + description), contentPath(capture)]
    for (const path of paths.flatMap((each) => [each, `${each}.tmp`])) await rm(path, { force: true }).catch(() => {})
  }

  async function namesIn(): Promise<string[]> {
    try {
      return await readdir(directory)
    } catch {
      return []
    }
  }

  /** Writes a file that exists only when it is complete. */
  async function writePrivately(path: string, content: Uint8Array): Promise<void> {
    const file = await open(`${path}.tmp`, 'wx', 0o600)
    try {
      await file.writeFile(content)
    } finally {
      await file.close()
    }
    await rename(`${path}.tmp`, path)
  }

  async function readDescription(name: string): Promise<StoredCapture | undefined> {
    const id = name.slice(0, -description.length)
    const path = join(directory, name)
    try {
      if (!isCaptureId(id) || (await stat(path)).size > maxDescription) return undefined
      const value: unknown = JSON.parse(await readFile(path, 'utf8'))
      return isStoredCapture(value) && value.id === id ? value : undefined
    } catch {
      return undefined
    }
  }

  /** Removes the files of processes that were ended while they wrote them. */
  async function removeIncomplete(): Promise<void> {
    const names = await namesIn()
    const described = new Set(names.filter((name) => name.endsWith(description)).map(idOf))
    for (const name of names) {
      if (!isCaptureId(idOf(name)) || (described.has(idOf(name)) && !name.endsWith('.tmp'))) continue
      const path = join(directory, name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NaN }))
      if (Date.now() - mtimeMs > incompleteMilliseconds) await rm(path, { force: true }).catch(() => {})
    }
  }

  async function requirePrivate(path: string): Promise<void> {
    const { mode, uid } = await stat(path)
    // Windows has no such modes.
    const user = process.getuid?.()
    if (user === undefined || (uid === user && (mode & 0o077) === 0)) return
    const received = uid === user ? `mode ${(mode & 0o777).toString(8).padStart(4, '0')}` : 'one of another user'
    throw failure(
      'UPKEEP_ECAPTURE',
      `expected a directory of this user with mode 0700, received ${received}; name one that does not exist, which ` +
        'is created',
    )
  }
}

function idOf(name: string): string {
  return name.split('.', 1)[0] ?? ''
}

/** Whether a value may be what this version or another has written. */
function isStoredCapture(value: unknown): value is StoredCapture {
  if (typeof value !== 'object' || value === null) return false
  const { id, rule, time, reason, type, bytes, details } = value as Partial<Record<keyof StoredCapture, unknown>>
  return (
    [id, rule, time, reason].every((text) => typeof text === 'string') &&
    typeof type === 'string' &&
    Object.hasOwn(extensions, type) &&
    typeof bytes === 'number' &&
    typeof details === 'object'
  )
}
