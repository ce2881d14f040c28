import type { SpanContext } from '@opentelemetry/api'
import { type ConsumerRunConfig, Kafka, logLevel, Partitioners } from 'kafkajs'
import { currentTrace, traceHeaders } from 'upkeep'
import { tracedConsumer, tracedProducer } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { type FakeKafka, startFakeKafka } from '../../support/fake-kafka.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { type KafkaCluster, kcat, startKafka } from '../../support/start-kafka.ts'
import { useServer } from '../../support/use-server.ts'

const spans = recordSpans()

describe('tracedProducer', () => {
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

  it("sends a message with its span's context", async () => {
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

  it('sends several messages as one span', async () => {
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

  it('marks the span as failed if sending fails', async () => {
    const producer = await connect()
    await producer.disconnect()
    await expect(producer.send({ topic: 'orders', messages: [{ value: 'a' }] })).rejects.toThrow('disconnected')
    expect(spans.tree()).toEqual(['producer send orders !'])
    expect(spans.named('send orders').attributes).toMatchObject({ 'error.type': 'KafkaJSError' })
  })

  it('traces sends of a transaction, and leaves the transaction unchanged', async () => {
    const sent: unknown[] = []
    const transaction = {
      send: async (record: object) => void sent.push(record),
      sendBatch: async () => {},
      commit: async () => 'committed',
    }
    const producer = tracedProducer({ ...transaction, transaction: async () => transaction })
    const traced = await producer.transaction()
    await traced.send({ topic: 'orders', messages: [{ value: 'a' }] })
    expect(await traced.commit()).toBe('committed')
    expect(spans.tree()).toEqual(['producer send orders'])
    const headers = { traceparent: expect.stringContaining(spans.named('send orders').spanContext().spanId) }
    expect(sent).toEqual([{ topic: 'orders', messages: [{ value: 'a', headers }] }])
  })

  it('rejects what kafkajs rejects', async () => {
    const producer = await connect()
    await expect(producer.send({ topic: 'orders' } as never)).rejects.toThrow('Invalid messages')
    await producer.disconnect()
  })
})

describe('tracedConsumer', () => {
  it('links a batch to the spans of its senders, and fails with the work', async () => {
    let given: { readonly eachBatch?: (payload: object) => Promise<void> } = {}
    // What kafkajs calls back. Of work that fails it makes one attempt after another, and begins anew.
    const traced = tracedConsumer({
      run: async (config: typeof given) => {
        given = config
      },
    })
    await traced.run({
      eachBatch: async () => {
        throw new RangeError('no')
      },
    })
    const senders = await Promise.all([1, 2].map((n) => spans.below(`send ${n}`, async () => traceHeaders())))
    const messages = [
      ...senders.map(({ traceparent = '' }) => ({ headers: { traceparent: Buffer.from(traceparent) } })),
      {},
    ]
    const batch = { topic: 'orders', partition: 0, messages }
    await spans.below('start-up', async () => {
      await expect(given.eachBatch?.({ batch })).rejects.toThrow(new RangeError('no'))
    })

    expect(spans.tree()).toContain('consumer process orders !')
    const { links, attributes } = spans.named('process orders')
    expect(links.map(({ context }) => context.spanId)).toEqual(
      ['send 1', 'send 2'].map((name) => spans.named(name).spanContext().spanId),
    )
    expect(attributes).toMatchObject({ 'messaging.batch.message_count': 3 })
  })
})

describeProgram(kcat, (path) => {
  let cluster: KafkaCluster
  beforeAll(async () => {
    cluster = await startKafka(path)
  })
  afterAll(() => cluster.dispose())

  const client = () => new Kafka({ brokers: [cluster.broker], logLevel: logLevel.NOTHING })
  const connectProducer = async () => {
    const producer = client().producer({ createPartitioner: Partitioners.DefaultPartitioner })
    await producer.connect()
    return tracedProducer(producer)
  }

  /** Runs a traced consumer of a topic until so many messages have been processed. */
  async function consume(topic: string, count: number, configOf: (processed: () => void) => ConsumerRunConfig) {
    const consumer = tracedConsumer(client().consumer({ groupId: `readers-of-${topic}` }))
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    const done = deferred<void>()
    let left = count
    await consumer.run(
      configOf(() => {
        left -= 1
        if (left === 0) done.resolve()
      }),
    )
    await done.promise
    await consumer.disconnect()
  }

  it("processes a message as a child of its sender's span, in one trace", async () => {
    const producer = await connectProducer()
    await spans.below('work', () =>
      producer.send({ topic: 'orders', messages: [{ partition: 2, value: 'zqzq', headers: { mine: 'kept' } }] }),
    )
    await producer.disconnect()
    const received: unknown[] = []
    await consume('orders', 1, (processed) => ({
      eachMessage: async ({ message }) => {
        await null
        received.push(message.value?.toString(), message.headers?.['mine']?.toString())
        received.push(currentTrace()?.spanId)
        processed()
      },
    }))

    expect(spans.tree()).toEqual(['internal work', '  producer send orders', '    consumer process orders'])
    const span = spans.named('process orders')
    expect(received).toEqual(['zqzq', 'kept', span.spanContext().spanId])
    expect(span.attributes).toEqual({
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'orders',
      'messaging.destination.partition.id': '2',
      'messaging.kafka.offset': 0,
    })
  })

  it('processes a batch in a trace of its own, linked to the spans of its senders', async () => {
    const producer = await connectProducer()
    for (const name of ['first', 'second']) {
      await spans.below(name, () => producer.send({ topic: 'batches', messages: [{ partition: 0, value: name }] }))
    }
    await producer.disconnect()
    await consume('batches', 2, (processed) => ({
      eachBatch: async ({ batch }) => {
        for (const _ of batch.messages) processed()
      },
    }))

    expect(spans.tree().filter((line) => !line.startsWith('consumer'))).toEqual([
      'internal first',
      '  producer send batches',
      'internal second',
      '  producer send batches',
    ])
    const placeOf = ({ traceId, spanId }: SpanContext) => `${traceId} ${spanId}`
    const named = (wanted: string) => spans.all().filter(({ name }) => name === wanted)
    for (const span of named('process batches')) expect(span.parentSpanContext).toBeUndefined()
    expect(named('process batches').flatMap(({ links }) => links.map(({ context }) => placeOf(context)))).toEqual(
      named('send batches').map((span) => placeOf(span.spanContext())),
    )
  })
})
