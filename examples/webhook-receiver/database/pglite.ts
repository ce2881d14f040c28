import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite, Transaction } from '@electric-sql/pglite'
import { postgres } from 'upkeep'
import type { Database, Query } from './database.ts'
import { holdFolder } from './hold-folder.ts'

/**
 * Opens PGlite, a PostgreSQL inside this process, on a folder that is made when it is not there. What is committed
 * outlives the process, `kill -9` included; PGlite does not flush the disk's own cache, so a power cut can take the last
 * messages.
 *
 * @throws Error when another receiver uses the folder: two would destroy each other's files.
 */
export async function openPglite(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true })
  const release = await holdFolder(folder)
  try {
    // Loaded when it is needed: with a PostgreSQL it need not even be installed.
    const { PGlite } = await import('@electric-sql/pglite')
    const client = await PGlite.create(await makeFiles(folder, (path) => PGlite.create(path)))
    return {
      description: `PGlite in ${folder}`,
      variable: 'DATA_DIR',
      health: postgres(client),
      query: queryOf(client),
      transaction: (work) => client.transaction((transaction) => work(queryOf(transaction))),
      close: async () => {
        await client.close()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** Killed while it makes its files, PGlite leaves a folder that it never opens again. So they move in when complete. */
async function makeFiles(folder: string, create: (path: string) => Promise<PGlite>): Promise<string> {
  const files = join(folder, 'pglite')
  if (existsSync(files)) return files
  const unfinished = join(folder, 'pglite.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  const maker = await create(unfinished)
  await maker.close()
  await rename(unfinished, files)
  return files
}

function queryOf(client: PGlite | Transaction): Query {
  return async <Row>(sql: string, parameters: readonly unknown[] = []) => {
    const { rows } = await client.query<Row>(sql, [...parameters])
    return rows
  }
}
