import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll } from 'vitest'
import rootPackage from '../../../../package.json' with { type: 'json' }

const cache = resolve(import.meta.dirname, '../../../../node_modules/.cache/upkeep-tests')

/** Returns folders in which a receiver's PGlite has made its files, and nothing else has happened. Removes them after the tests. */
export function useFreshFolders(): () => Promise<string> {
  const folders: string[] = []
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true })
  })
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'receiver-'))
    folders.push(folder)
    await cp(await modelFolder(), folder, { recursive: true })
    return folder
  }
}

/** Has PGlite make its files once per version, which takes seconds, so that all tests can start from a copy of them. */
async function modelFolder(): Promise<string> {
  const model = join(cache, `pglite-${rootPackage.devDependencies['@electric-sql/pglite']}`)
  if (existsSync(model)) return model
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(join(cache, 'unfinished-'))
  const database = await PGlite.create(join(unfinished, 'pglite'))
  await database.close()
  // Of two test files that make it at the same time, the first one has provided it.
  await rename(unfinished, model).catch(() => rm(unfinished, { recursive: true }))
  return model
}
