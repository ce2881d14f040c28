import { describe, expect, it } from 'vitest'
import { createServerName } from '../../../src/health/indicators/server-name.ts'

describe('createServerName', () => {
  it('is requested once', async () => {
    const requested: string[] = []
    const name = createServerName('database', async (connection: string) => {
      requested.push(connection)
      return 'PostgreSQL 17.2'
    })
    expect(name.details()).toEqual({})
    await name.load('a')
    await name.load('b')

    expect(name.details()).toEqual({ database: 'PostgreSQL 17.2' })
    expect(requested).toEqual(['a'])
  })

  it('is requested again after a failure, and keeps the old name until then', async () => {
    const versions = ['Redis 7.0.0', 'Redis 7.2.0']
    const name = createServerName('server', async () => versions.shift())
    await name.load(undefined)
    name.invalidate()
    expect(name.details()).toEqual({ server: 'Redis 7.0.0' })
    await name.load(undefined)

    expect(name.details()).toEqual({ server: 'Redis 7.2.0' })
  })

  it('is requested again after a request that failed, which is ignored', async () => {
    let isAllowed = false
    const name = createServerName('server', async () => {
      if (!isAllowed) {
        throw new Error('NOPERM')
      }
      return 'Redis 7.0.0'
    })
    await name.load(undefined)
    expect(name.details()).toEqual({})
    isAllowed = true
    await name.load(undefined)

    expect(name.details()).toEqual({ server: 'Redis 7.0.0' })
  })
})
