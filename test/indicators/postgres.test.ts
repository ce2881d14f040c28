import { PGlite } from '@electric-sql/pglite'
import { describe, expect, it } from 'vitest'
import { postgres } from '../../src/indicators/postgres.ts'

const never = new AbortController().signal

describe('postgres over PGlite', () => {
  it('is up with product and version, query and latency, and down once closed', async () => {
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
