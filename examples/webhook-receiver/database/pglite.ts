import { existsSync } from 'node:fs'
import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite, Transaction } from '@electric-sql/pglite'
import { postgres } from 'upkeep/health'
import type { Database, Query } from './database.ts'
import { holdFolder } from './hold-folder.ts'

/**
 * The space that must remain free on the disk. On a full disk a write never returns and blocks the process. A statement
 * writes at most about ten megabytes, and the write-ahead log grows by 16.
 */
const minFreeBytes = 128 * 1_024 * 1_024

/**
 * Opens PGlite, a PostgreSQL inside this process, on a folder that is created if it is absent. What is committed
 * outlives the process, `kill -9` included; PGlite does not flush the disk's own cache, so a power cut can take the
 * last messages. Before the disk is full, writes are rejected and its health is `DOWN`.
 *
 * @throws Error when another receiver uses the folder, since two would destroy each other's files, or its disk is full.
 */
export async function openPglite(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true })
  const release = await holdFolder(folder)
  try {
    // Loaded on demand: with a PostgreSQL server it does not have to be installed.
    const { PGlite } = await import('@electric-sql/pglite')
    const requireSpace = () => requireFree(folder)
    await requireSpace()
    const client = await PGlite.create(await makeFiles(folder, (path) => PGlite.create(path)))
    const query = queryOf(client)
    const check = postgres(client)
    return {
      description: `PGlite in ${folder}`,
      variable: 'DATA_DIR',
      health: async (signal) => {
        await requireSpace()
        return check(signal)
      },
      query: async (sql, parameters) => {
        if (!sql.startsWith('select')) await requireSpace()
        return query(sql, parameters)
      },
      transaction: async (work) => {
        await requireSpace()
        return client.transaction((transaction) => work(queryOf(transaction)))
      },
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

async function requireFree(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= minFreeBytes) return
  throw new Error(`less than ${minFreeBytes / 1_024 / 1_024} MiB are free on the disk of ${folder}`)
}

/**
 * If PGlite is killed while it creates its files, it can never open the folder again. So complete files are moved in.
 */
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
