import { connect, headers, type NatsConnection } from 'nats'
import { withTrace } from 'upkeep'
import { tracedNats } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { uniqueName } from '../../support/unique-name.ts'

const subject = uniqueName('upkeep-test')

await describeRunningServers([running.nats], () => {
  const spans = recordSpans()
  let connection: NatsConnection
  beforeAll(async () => {
    connection = tracedNats(await connect({ servers: '127.0.0.1' }), headers)
  })
  afterAll(() => connection.close())

  describe('a message on a traced NATS connection', () => {
    it("is processed as a child of its sender's span", async () => {
      const processed = deferred<string | undefined>()
      connection.subscribe(subject, {
        max: 1,
        callback: (_, message) => processed.resolve(message.headers?.get('mine')),
      })
      const own = headers()
      own.append('mine', 'kept')
      await spans.below('work', async () => connection.publish(subject, 'zqzq', { headers: own }))
      expect(await processed.promise).toBe('kept')
      expect([...own]).toEqual([['mine', ['kept']]])
      expect(spans.tree()).toEqual([
        'internal work',
        `  producer publish ${subject}`,
        `    consumer process ${subject}`,
      ])
      expect(spans.named(`publish ${subject}`).attributes).toEqual({
        'messaging.system': 'nats',
        'messaging.operation.name': 'publish',
        'server.address': '127.0.0.1',
        'server.port': 4222,
        'messaging.operation.type': 'send',
        'messaging.destination.name': subject,
      })
    })

    it('is a span until the reply if it is a request', async () => {
      connection.subscribe(`${subject}.ask`, { max: 1, callback: (_, message) => message.respond('yes') })
      const answer = await spans.below('work', () => connection.request(`${subject}.ask`, 'zqzq'))
      expect(answer.string()).toBe('yes')
      expect(spans.tree()).toEqual([
        'internal work',
        `  client request ${subject}.ask`,
        `    consumer process ${subject}.ask`,
      ])
    })

    it('is a failed span without responders', async () => {
      await expect(connection.request(`${subject}.nobody`)).rejects.toThrow('503')
      expect(spans.tree()).toEqual([`client request ${subject}.nobody !`])
      expect(spans.named(`request ${subject}.nobody`).attributes).toMatchObject({ 'error.type': '503' })
    })

    it('is processed by the application if iterated over', async () => {
      const subscription = connection.subscribe(subject, { max: 1 })
      connection.publish(subject, 'zqzq')
      for await (const message of subscription) {
        await withTrace(message.headers, `process ${subject}`, async () => {
          expect(spans.activeSpan()).toBeDefined()
        })
      }
      expect(spans.tree()).toEqual([`producer publish ${subject}`, `  consumer process ${subject}`])
    })
  })

  it('tracedNats leaves other members unchanged', async () => {
    expect(connection.getServer()).toContain('4222')
    expect(await connection.rtt()).toBeTypeOf('number')
    await connection.flush()
  })
})
