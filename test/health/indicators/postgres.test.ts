import { PGlite } from '@electric-sql/pglite'
import { postgres } from 'upkeep/health'
import { describe, expect, it } from 'vitest'

const never = new AbortController().signal

describe('postgres over PGlite', () => {
  it('is UP with product and version, query and latency, and DOWN once closed', async () => {
    const database = new PGlite()
    const indicator = postgres(database)

    expect(await indicator(never)).toEqual({
      status: 'UP',
      details: {
        database: expect.stringMatching(/^PostgreSQL \d+\.\d+$/),
        validationQuery: 'SELECT 1',
        latency: expect.stringMatching(/^\d+(\.\d+)?ms$/),
      },
    })

    await database.close()

    expect(await indicator(never)).toEqual({
      status: 'DOWN',
      details: {
        database: expect.stringMatching(/^PostgreSQL \d+\.\d+$/),
        validationQuery: 'SELECT 1',
        error: 'Error: PGlite is closed',
      },
    })
  })
})
