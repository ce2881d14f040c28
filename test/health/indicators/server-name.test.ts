import { describe, expect, it } from 'vitest'
import { createServerName } from '../../../src/health/indicators/server-name.ts'

describe('createServerName', () => {
  it('asks once', async () => {
    const asked: string[] = []
    const name = createServerName('database', async (connection: string) => {
      asked.push(connection)
      return 'PostgreSQL 17.2'
    })
    expect(name.details()).toEqual({})
    await name.learn('a')
    await name.learn('b')

    expect(name.details()).toEqual({ database: 'PostgreSQL 17.2' })
    expect(asked).toEqual(['a'])
  })

  it('asks again after a failure, and keeps the old name until then', async () => {
    const versions = ['Redis 7.0.0', 'Redis 7.2.0']
    const name = createServerName('server', async () => versions.shift())
    await name.learn(undefined)
    name.doubt()
    expect(name.details()).toEqual({ server: 'Redis 7.0.0' })
    await name.learn(undefined)

    expect(name.details()).toEqual({ server: 'Redis 7.2.0' })
  })

  it('asks again when it was not told, and says nothing of that', async () => {
    let isAllowed = false
    const name = createServerName('server', async () => {
      if (!isAllowed) {
        throw new Error('NOPERM')
      }
      return 'Redis 7.0.0'
    })
    await name.learn(undefined)
    expect(name.details()).toEqual({})
    isAllowed = true
    await name.learn(undefined)

    expect(name.details()).toEqual({ server: 'Redis 7.0.0' })
  })
})
