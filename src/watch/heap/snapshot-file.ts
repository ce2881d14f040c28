import type { FileHandle } from 'node:fs/promises'

/** An empty file that only this user can read, in a directory of its own. */
export interface SnapshotFile {
  readonly path: string
  readonly handle: FileHandle
  /** Removes the file and its directory, unless that has been done. */
  readonly remove: () => Promise<void>
}

/** Creates the file below a directory, by default that for temporary files. Rejects if that cannot be written. */
export async function createSnapshotFile(directory: string | undefined): Promise<SnapshotFile> {
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
