import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { openDatabase } from '../../../examples/webhook-receiver/database/open.ts'
import { createTestDatabase, isPostgresThere, type TestDatabase } from './support/postgres-server.ts'
import { receiverOver } from './support/receiver-over.ts'

const report = () => {}
const left: (() => Promise<void>)[] = []

receiverOver('PGlite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'receiver-'))
  left.push(() => rm(dataDir, { recursive: true }))
  return openDatabase({ dataDir, databaseUrl: undefined }, report)
})

describe.skipIf(!(await isPostgresThere()))('with a PostgreSQL server', () => {
  receiverOver('PostgreSQL', async () => {
    const own: TestDatabase = await createTestDatabase()
    left.push(own.drop)
    return openDatabase({ dataDir: '.', databaseUrl: own.url }, report)
  })
})

afterAll(async () => {
  for (const clear of left) await clear()
})
