import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPglite } from '../../../../examples/webhook-receiver/database/pglite.ts'

export interface FolderSource {
  /** A folder in which PGlite has made its files, and nothing else has happened. */
  copy(): Promise<string>
  remove(): Promise<void>
}

/** Has PGlite make its files once, which takes seconds, so that many can start from a copy of them. */
export async function makeFreshFolder(): Promise<FolderSource> {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'))
  const model = join(folder, 'model')
  const database = await openPglite(model)
  await database.close()
  let copies = 0
  return {
    copy: async () => {
      const copy = join(folder, `copy-${copies++}`)
      await cp(model, copy, { recursive: true })
      return copy
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
