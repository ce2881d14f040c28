import { expect, it } from 'vitest'
import { createReceiverLog, reportTo } from '../../../examples/webhook-receiver/log.ts'
import { readSettings } from '../../../examples/webhook-receiver/settings.ts'
import { startReceiver } from '../../../examples/webhook-receiver/start.ts'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { json, post, sendRequest } from './support/http-client.ts'
import { operate } from './support/operator-client.ts'

describePostgres((server) => {
  it('instances of the receiver start at once and share its hooks', async () => {
    const databaseUrl = await createTestDatabase(server())
    const settings = readSettings({ PORT: '0', DATABASE_URL: databaseUrl, MANAGEMENT_TOKEN: 'a-token' })
    const log = createReceiverLog({ logFormat: 'json', logLevel: 'OFF' }, () => {})
    const options = { newHook: false, log, report: reportTo(log) }
    const instances = await Promise.all([1, 2, 3].map(() => startReceiver(settings, options)))
    const origins = instances.map(({ url }) => url)
    const prepared = await Promise.all(instances.map(({ prepared }) => prepared))
    const keys = prepared.flatMap((each) => each?.created?.key ?? [])
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

    // What one of them is told of a hook, the others notice within a second.
    const rotated = await operate(first, 'POST', `/hooks/${id}/rotate-key`, { overlapSeconds: 0 })
    for (const origin of origins) {
      expect((await post(origin, rotated.content.key, 'c')).body).toBe('ok')
      while ((await post(origin, key, 'late')).status !== 404);
    }
    for (const instance of instances) {
      instance.server.closeAllConnections()
      instance.server.close()
      await instance.close()
    }
  })
})
