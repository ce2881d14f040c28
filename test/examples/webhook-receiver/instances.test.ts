import { afterEach, expect, it } from 'vitest'
import { ask, post } from './support/ask.ts'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { keepReceivers, originOf, stopProcess } from './support/receiver-process.ts'

describePostgres((server) => {
  const receivers = keepReceivers()
  afterEach(() => receivers.endAll())

  it('lets instances of the receiver start at once, and share its hooks', { timeout: 60_000 }, async () => {
    const url = await createTestDatabase(server())
    const instances = [1, 2, 3].map(() => receivers.start({ DATABASE_URL: url }))
    const origins = await Promise.all(instances.map(originOf))
    const keys = instances.flatMap(({ output }) => /\/hooks\/(\S+)\n/.exec(output())?.[1] ?? [])
    expect(keys).toHaveLength(1)
    for (const origin of origins) {
      expect((await post(origin, keys[0] ?? '', 'a')).body).toBe('ok')
      expect((await ask(origin, { method: 'GET', path: '/management/health' })).body).toContain('"status":"UP"')
    }
    expect(await Promise.all(instances.map(stopProcess))).toEqual([0, 0, 0])
  })
})
