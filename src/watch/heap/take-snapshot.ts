import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Report } from '../../base/report.ts'
import type { RunOperation } from '../diagnostics/diagnostic-operation.ts'
import { canInspect } from '../diagnostics/mechanisms.ts'

/**
 * Takes a snapshot of the heap of this thread, which is blocked meanwhile. Resolves with its content: a file that has
 * no name any more or, where the inspector is not permitted or no file can be created, what V8 keeps in memory.
 */
export async function takeSnapshot(
  run: RunOperation,
  directory: string | undefined,
  report: Report,
): Promise<Readable> {
  const file = canInspect() ? await createFile(directory, report) : undefined
  const content = file === undefined ? process.getBuiltinModule('node:v8').getHeapSnapshot() : await fill(file, run)
  // V8 creates all of its content before the event loop turns.
  await once(content, 'readable')
  return content
}

async function createFile(directory: string | undefined, report: Report): Promise<SnapshotFile | undefined> {
  try {
    return await createSnapshotFile(directory)
  } catch (error) {
    report('heapdump: the snapshot is kept in memory, because no file can be created', error)
    return undefined
  }
}

async function fill({ path, handle, remove }: SnapshotFile, run: RunOperation): Promise<Readable> {
  try {
    // Not cancelled when the client leaves: V8 would take the snapshot all the same.
    await run('heapdump', { path }, new AbortController().signal)
    return handle.createReadStream({ start: 0, highWaterMark: 262_144 })
  } catch (error) {
    await handle.close()
    throw error
  } finally {
    await remove()
  }
}

/** An empty file that only this user can read, in a directory of its own. */
interface SnapshotFile {
  readonly path: string
  readonly handle: FileHandle
  /** Removes the file and its directory, unless that has been done. */
  readonly remove: () => Promise<void>
}

/** Creates the file below a directory, by default that for temporary files. Rejects if that cannot be written. */
async function createSnapshotFile(directory: string | undefined): Promise<SnapshotFile> {
  const { mkdtemp, open, rm } = process.getBuiltinModule('node:fs/promises')
  const { join } = process.getBuiltinModule('node:path')
  // mkdtemp creates it with the mode 0700.
  const folder = await mkdtemp(join(directory ?? process.getBuiltinModule('node:os').tmpdir(), 'upkeep-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'heap.heapsnapshot')
  try {
    return { path, handle: await open(path, 'wx+', 0o600), remove }
  } catch (error) {
    await remove()
    throw error
  }
}
