import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { createManagement } from 'upkeep'
import { instrument } from 'upkeep/instrument'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeAnswering, running } from '../../support/describe-answering.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { uniqueName } from '../../support/unique-name.ts'

const key = uniqueName('upkeep-test:zqzq')

await describeAnswering([running.redis], () => {
  const spans = recordSpans()
  const management = createManagement({ metrics: { runtime: false } })
  const io = new Redis({ host: '127.0.0.1', lazyConnect: true })
  const node = createClient({ url: 'redis://127.0.0.1:6379' })
  beforeAll(async () => {
    await Promise.all([io.connect(), node.connect()])
    instrument(management)
  })
  afterAll(async () => {
    management.close()
    await io.del(key)
    io.disconnect()
    node.destroy()
  })

  describe.each([
    ['ioredis', { set: (value: string) => io.set(key, value), list: () => io.lpush(key, 'x') }],
    ['node-redis', { set: (value: string) => node.set(key, value), list: () => node.lPush(key, 'x') }],
  ])('a command of %s', (_, client) => {
    it('is a span that tells neither keys nor values', async () => {
      await spans.below('work', () => client.set('secret'))
      expect(spans.tree()).toEqual(['internal work', '  client SET'])
      expect(spans.named('SET').attributes).toEqual({
        'db.system.name': 'redis',
        'db.operation.name': 'SET',
        'db.namespace': '0',
        'db.query.text': 'SET ? ?',
        'server.address': expect.stringMatching(/^(127\.0\.0\.1|localhost)$/),
        'server.port': 6379,
      })
    })

    it('that the server refuses has failed', async () => {
      await client.set('a text')
      await expect(client.list()).rejects.toThrow('WRONGTYPE')
      expect(spans.tree()).toEqual(['client SET', 'client LPUSH !'])
      expect(spans.named('LPUSH').attributes).toMatchObject({
        'error.type': 'WRONGTYPE',
        'db.response.status_code': 'WRONGTYPE',
      })
    })

    it('is below the span of its caller', async () => {
      const works = Array.from({ length: 30 }, (_, n) => spans.below(`work ${n}`, () => client.set(`${n}`)))
      await Promise.all(works)
      expect(spans.tree().toSorted()).toEqual(
        works.flatMap((_, n) => [`internal work ${n}`, '  client SET']).toSorted(),
      )
    })
  })

  it('a transaction of ioredis is a span', async () => {
    await spans.below('work', () => io.multi().set(key, '1').incr(key).exec())
    expect(spans.tree()).toEqual(expect.arrayContaining(['internal work', '  client MULTI']))
    expect(spans.all().find((span) => span.attributes['db.operation.batch.size'] === 2)?.name).toBe('MULTI')
  })

  it('a transaction of node-redis is a span', async () => {
    await spans.below('work', () => node.multi().set(key, '1').incr(key).exec())
    expect(spans.tree().slice(0, 2)).toEqual(['internal work', '  client MULTI'])
    expect(spans.named('MULTI').attributes).toMatchObject({ 'db.operation.batch.size': 2 })
  })

  it('a pipeline of node-redis is a span with its commands below', async () => {
    await spans.below('work', () => node.multi().set(key, '1').incr(key).execAsPipeline())
    expect(spans.tree()).toEqual(['internal work', '  client PIPELINE', '    client SET', '    client INCR'])
  })
})
