import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countHooks, createFirstHook, findHook } from '../../../../examples/webhook-receiver/hooks/hooks.ts'
import { createTestDatabase, describePostgres } from '../support/describe-postgres.ts'
import { useFreshFolders } from '../support/fresh-folder.ts'
import { openPrepared } from '../support/open-prepared.ts'

const report = () => {}

describe('openDatabase with a folder', () => {
  const freshFolder = useFreshFolders()

  it('makes its files anew if an earlier start was killed meanwhile, reopens them, and locks them', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'receiver-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const unfinished = join(dataDir, 'pglite.unfinished')
    await mkdir(unfinished)
    await writeFile(join(unfinished, 'PG_VERSION'), '18\n')
    const settings = { dataDir, databaseUrl: undefined }
    const first = await openPrepared(settings, report)
    await expect(openPrepared(settings, report)).rejects.toThrow('is in use by another receiver')
    const hook = await createFirstHook(first)
    await first.close()

    const second = await openPrepared(settings, report)
    expect(await createFirstHook(second)).toBeUndefined()
    expect(await findHook(second.query, hook?.key ?? '')).toEqual({
      id: hook?.id,
      name: '',
      enabled: true,
      signingSecret: undefined,
    })
    await second.close()
  })

  it('rolls back a transaction that fails', async () => {
    const database = await openPrepared({ dataDir: await freshFolder(), databaseUrl: undefined }, report)
    await expect(rollBack(database)).rejects.toThrow('enough')
    expect(await countHooks(database.query)).toBe(0)
    await database.close()
  })
})

describePostgres((server) => {
  const settings = async () => ({ dataDir: '.', databaseUrl: await createTestDatabase(server()) })

  it('supports instances that open an empty database at once; one creates the first hook', async () => {
    const same = await settings()
    const instances = await Promise.all(Array.from({ length: 6 }, () => openPrepared(same, report)))
    const keys = await Promise.all(instances.map(createFirstHook))

    expect(keys.filter((key) => key !== undefined)).toHaveLength(1)
    for (const { query, close } of instances) {
      expect(await countHooks(query)).toBe(1)
      await close()
    }
  })

  it('rolls back a transaction that fails', async () => {
    const database = await openPrepared(await settings(), report)
    await expect(rollBack(database)).rejects.toThrow('enough')
    expect(await countHooks(database.query)).toBe(0)
    await database.close()
  })

  it('is described without its password', async () => {
    const { dataDir, databaseUrl } = await settings()
    const database = await openPrepared({ dataDir, databaseUrl: databaseUrl.replace('@', ':hidden@') }, report)
    expect(database.description).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/receiver_\w+$/)
    await database.close()
  })
})

async function rollBack(database: Awaited<ReturnType<typeof openPrepared>>): Promise<void> {
  await database.transaction(async (query) => {
    await query(`insert into hooks (id) values (gen_random_uuid())`)
    expect(await countHooks(query)).toBe(1)
    throw new Error('enough')
  })
}
