import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { openPrepared } from './support/open-prepared.ts'
import { receiverOver } from './support/receiver-over.ts'

describe('with a folder', () => {
  let dataDir: string
  receiverOver('PGlite', async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'receiver-'))
    return openPrepared({ dataDir, databaseUrl: undefined }, () => {})
  })
  afterAll(() => rm(dataDir, { recursive: true }))
})

describePostgres((server) => {
  receiverOver('PostgreSQL', async () => {
    return openPrepared({ dataDir: '.', databaseUrl: await createTestDatabase(server()) }, () => {})
  })
})
