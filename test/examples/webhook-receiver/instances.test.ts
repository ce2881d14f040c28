import { afterEach, expect, it } from 'vitest'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { json, post, sendRequest } from './support/http-client.ts'
import { operate } from './support/operator-client.ts'
import { keepReceivers, originOf, stopProcess } from './support/receiver-process.ts'

describePostgres((server) => {
  const receivers = keepReceivers()
  afterEach(() => receivers.endAll())

  it('instances of the receiver start at once and share its hooks', { timeout: 60_000 }, async () => {
    const url = await createTestDatabase(server())
    const instances = [1, 2, 3].map(() => receivers.start({ DATABASE_URL: url, MANAGEMENT_TOKEN: 'a-token' }))
    const origins = await Promise.all(instances.map(originOf))
    const keys = instances.flatMap(({ output }) => /\/hooks\/(\S+)\n/.exec(output())?.[1] ?? [])
    expect(keys).toHaveLength(1)
    const [key = ''] = keys
    for (const origin of origins) {
      expect((await post(origin, key, 'a')).body).toBe('ok')
      expect((await sendRequest(origin, { method: 'GET', path: '/management/health' })).body).toContain('"status":"UP"')
    }

    // The same delivery at all of them at once is stored once.
    const headers = { ...json, 'Idempotency-Key': 'same' }
    const deliveries = origins.map((origin) =>
      sendRequest(origin, { path: `/hooks/${key}`, headers, body: '{"text":"b"}' }),
    )
    expect((await Promise.all(deliveries)).map(({ body }) => body)).toEqual(['ok', 'ok', 'ok'])
    const [first = ''] = origins
    const [{ id }] = (await operate(first, 'GET', '/hooks')).content
    for (const origin of origins) {
      const { content } = await operate(origin, 'GET', `/hooks/${id}/messages?fields=text`)
      expect(content).toEqual([{ text: 'b' }, { text: 'a' }, { text: 'a' }, { text: 'a' }])
    }

    // What one of them is told of a hook, the others hear within a second.
    const rotated = await operate(first, 'POST', `/hooks/${id}/rotate-key`, { overlapSeconds: 0 })
    for (const origin of origins) {
      expect((await post(origin, rotated.content.key, 'c')).body).toBe('ok')
      while ((await post(origin, key, 'late')).status !== 404);
    }
    expect(await Promise.all(instances.map(stopProcess))).toEqual([0, 0, 0])
  })
})
