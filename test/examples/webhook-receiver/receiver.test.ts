import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { openDatabase } from '../../../examples/webhook-receiver/database/open.ts'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { receiverOver } from './support/receiver-over.ts'

describe('with a folder', () => {
  let dataDir: string
  receiverOver('PGlite', async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'receiver-'))
    return openDatabase({ dataDir, databaseUrl: undefined }, () => {})
  })
  afterAll(() => rm(dataDir, { recursive: true }))
})

describePostgres((server) => {
  receiverOver('PostgreSQL', async () => {
    return openDatabase({ dataDir: '.', databaseUrl: await createTestDatabase(server()) }, () => {})
  })
})
