import { Kafka, logLevel, Partitioners } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type TraceHeaders, traceHeaders } from '../../../src/index.ts'
import { tracedConsumer, tracedProducer } from '../../../src/instrument.ts'
import { type FakeKafka, startFakeKafka } from '../../support/fake-kafka.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { useServer } from '../../support/use-server.ts'

const spans = recordSpans()

describe('a traced producer of kafkajs', () => {
  let fake: FakeKafka | undefined
  const server = useServer(async () => {
    fake = await startFakeKafka()
    return fake
  })
  const connect = async () => {
    const client = new Kafka({ brokers: [server().url], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
    const producer = tracedProducer(client.producer({ createPartitioner: Partitioners.DefaultPartitioner }))
    await producer.connect()
    return producer
  }

  it('sends with a span that the message carries along', async () => {
    const producer = await connect()
    const message = { key: 'zqzq', value: 'zqzq', headers: { mine: 'kept' } }
    const answer = await spans.below('work', () => producer.send({ topic: 'orders', messages: [message] }))
    await producer.disconnect()

    expect(answer).toMatchObject([{ topicName: 'orders', errorCode: 0 }])
    expect(message.headers).toEqual({ mine: 'kept' })
    expect(spans.tree()).toEqual(['internal work', '  producer send orders'])
    const span = spans.named('send orders')
    expect(span.attributes).toEqual({
      'messaging.system': 'kafka',
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.destination.name': 'orders',
    })
    const { traceId, spanId } = span.spanContext()
    const sent = fake?.produced.at(-1)?.toString('latin1')
    expect(sent).toContain(`00-${traceId}-${spanId}-`)
    expect(sent).toContain('kept')
  })

  it('sends several as one', async () => {
    const producer = await connect()
    await producer.sendBatch({ topicMessages: [{ topic: 'orders', messages: [{ value: 'a' }, { value: 'b' }] }] })
    await producer.disconnect()
    expect(spans.named('send orders').attributes).toMatchObject({ 'messaging.batch.message_count': 2 })
    expect(
      fake?.produced
        .at(-1)
        ?.toString('latin1')
        .match(/traceparent/g),
    ).toHaveLength(2)
  })

  it('has a failed span where sending fails', async () => {
    const producer = await connect()
    await producer.disconnect()
    await expect(producer.send({ topic: 'orders', messages: [{ value: 'a' }] })).rejects.toThrow('disconnected')
    expect(spans.tree()).toEqual(['producer send orders !'])
    expect(spans.named('send orders').attributes).toMatchObject({ 'error.type': 'KafkaJSError' })
  })

  it('refuses what kafkajs refuses', async () => {
    const producer = await connect()
    await expect(producer.send({ topic: 'orders' } as never)).rejects.toThrow('Invalid messages')
    await producer.disconnect()
  })
})

describe('a traced consumer of kafkajs', () => {
  interface Config {
    readonly eachMessage?: (payload: object) => Promise<void>
    readonly eachBatch?: (payload: object) => Promise<void>
  }
  /** What kafkajs calls back, without the cluster that lets it: a group that is joined and fetched for. */
  function consumer() {
    let given: Config = {}
    const own = {
      run: async (config: Config) => {
        given = config
      },
    }
    return { traced: tracedConsumer(own), call: () => given }
  }
  const messageFrom = (headers: TraceHeaders, offset: string) => ({
    offset,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value)])),
  })

  it('processes each message below the span that sent it', async () => {
    const { traced, call } = consumer()
    await traced.run({
      eachMessage: async () => {
        await null
        expect(spans.tracing.activeSpan()).toBeDefined()
      },
    })
    const headers = await spans.below('send', async () => traceHeaders())
    await call().eachMessage?.({ topic: 'orders', partition: 2, message: messageFrom(headers, '41') })

    expect(spans.tree()).toEqual(['internal send', '  consumer process orders'])
    expect(spans.named('process orders').attributes).toEqual({
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'orders',
      'messaging.destination.partition.id': '2',
      'messaging.kafka.offset': 41,
    })
  })

  it('processes a batch in a trace of its own, linked to the spans that sent its messages', async () => {
    const { traced, call } = consumer()
    await traced.run({
      eachBatch: async () => {
        throw new RangeError('no')
      },
    })
    const senders = await Promise.all([1, 2].map((n) => spans.below(`send ${n}`, async () => traceHeaders())))
    const messages = [...senders.map((headers, at) => messageFrom(headers, `${at}`)), { offset: '9' }]
    const batch = { topic: 'orders', partition: 0, messages }
    await spans.below('start-up', async () => {
      await expect(call().eachBatch?.({ batch })).rejects.toThrow(RangeError)
    })

    expect(spans.tree()).toContain('consumer process orders !')
    const { links, attributes } = spans.named('process orders')
    expect(links.map(({ context }) => context.spanId)).toEqual(
      ['send 1', 'send 2'].map((name) => spans.named(name).spanContext().spanId),
    )
    expect(attributes).toMatchObject({ 'messaging.batch.message_count': 3 })
  })
})
