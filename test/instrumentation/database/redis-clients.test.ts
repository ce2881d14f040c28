import { once } from 'node:events'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { createManagement } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { uniqueName } from '../../support/unique-name.ts'

const key = uniqueName('upkeep-test:zqzq')

await describeRunningServers([running.redis], () => {
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
    it('is a span without keys and values', async () => {
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

    it('is a failed span if the server rejects it', async () => {
      await client.set('a text')
      await expect(client.list()).rejects.toThrow('WRONGTYPE')
      expect(spans.tree()).toEqual(['client SET', 'client LPUSH !'])
      expect(spans.named('LPUSH').attributes).toMatchObject({
        'error.type': 'WRONGTYPE',
        'db.response.status_code': 'WRONGTYPE',
      })
    })

    it("is a child of its caller's span", async () => {
      const works = Array.from({ length: 30 }, (_, n) => spans.below(`work ${n}`, () => client.set(`${n}`)))
      await Promise.all(works)
      expect(spans.tree().toSorted()).toEqual(
        works.flatMap((_, n) => [`internal work ${n}`, '  client SET']).toSorted(),
      )
    })
  })

  it('a transaction of ioredis is one span', async () => {
    await spans.below('work', () => io.multi().set(key, '1').incr(key).exec())
    expect(spans.tree().filter((line) => /MULTI|EXEC/.test(line))).toEqual(['  client MULTI'])
    expect(spans.named('MULTI').attributes['db.operation.batch.size']).toBe(2)
  })

  it('connecting creates no spans, and queued commands of ioredis are children of their callers', async () => {
    const waiting = new Redis({ host: '127.0.0.1', lazyConnect: true, db: 1 })
    const direct = createClient({ url: 'redis://127.0.0.1:6379/1' })
    const get = (name: string) => spans.below(name, () => waiting.get(key))
    await Promise.all([get('first'), get('second'), direct.connect()])
    expect(spans.tree().toSorted()).toEqual(['  client GET', '  client GET', 'internal first', 'internal second'])

    const reconnected = once(waiting, 'close').then(() => Promise.all([get('third'), get('fourth')]))
    waiting.disconnect(true)
    await reconnected
    expect(spans.tree().filter((line) => line.startsWith('client'))).toEqual([])
    expect(spans.tree().filter((line) => line === '  client GET')).toHaveLength(4)
    waiting.disconnect()
    direct.destroy()
  })

  it('a transaction of node-redis is a span', async () => {
    await spans.below('work', () => node.multi().set(key, '1').incr(key).exec())
    expect(spans.tree().slice(0, 2)).toEqual(['internal work', '  client MULTI'])
    expect(spans.named('MULTI').attributes).toMatchObject({ 'db.operation.batch.size': 2 })
  })

  it('a pipeline of node-redis is a span with its commands as children', async () => {
    await spans.below('work', () => node.multi().set(key, '1').incr(key).execAsPipeline())
    expect(spans.tree()).toEqual(['internal work', '  client PIPELINE', '    client SET', '    client INCR'])
  })
})
