import { type ConsumerRunConfig, Kafka, logLevel, Partitioners } from 'kafkajs'
import { createManagement, currentTrace } from 'upkeep'
import { tracedConsumer, tracedProducer } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { scrape } from '../../support/scrape.ts'
import type { TestServer } from '../../support/server-process.ts'
import { startKafka } from './start-kafka.ts'

const spans = recordSpans()

describe('a real Kafka', () => {
  let kafka: TestServer
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka?.dispose())

  const client = () => new Kafka({ brokers: [kafka.url], logLevel: logLevel.NOTHING })

  async function createTopic(topic: string) {
    const admin = client().admin()
    await admin.connect()
    await admin.createTopics({ topics: [{ topic, numPartitions: 4 }], waitForLeaders: true })
    await admin.disconnect()
  }

  async function connectProducer(options: { readonly transactionalId?: string } = {}) {
    const producer = client().producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      ...(options.transactionalId !== undefined && { ...options, idempotent: true, maxInFlightRequests: 1 }),
    })
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
    const processed = () => {
      left -= 1
      if (left === 0) done.resolve()
    }
    await consumer.run(configOf(processed))
    await done.promise
    await consumer.disconnect()
  }

  it('carries the trace of a message from its sender to who processes it', async () => {
    await createTopic('orders')
    const producer = await connectProducer()
    await spans.below('work', () =>
      producer.send({ topic: 'orders', messages: [{ partition: 2, value: 'zqzq', headers: { mine: 'kept' } }] }),
    )
    await producer.disconnect()
    const received: unknown[] = []
    await consume('orders', 1, (processed) => ({
      eachMessage: async ({ message }) => {
        received.push(message.value?.toString(), message.headers?.['mine']?.toString(), currentTrace()?.spanId)
        processed()
      },
    }))
    expect(spans.tree()).toEqual(['internal work', '  producer send orders', '    consumer process orders'])
    const span = spans.named('process orders')
    expect(received).toEqual(['zqzq', 'kept', span.spanContext().spanId])
    expect(span.attributes).toMatchObject({ 'messaging.system': 'kafka', 'messaging.destination.partition.id': '2' })
  })

  it('links a batch to its senders, and processes what a committed transaction has sent', async () => {
    await createTopic('batches')
    const producer = await connectProducer({ transactionalId: 'orders' })
    for (const [name, end] of [
      ['lost', 'abort'],
      ['kept', 'commit'],
    ] as const) {
      await spans.below(name, async () => {
        const transaction = await producer.transaction()
        await transaction.send({ topic: 'batches', messages: [{ partition: 0, value: name }] })
        await transaction[end]()
      })
    }
    await producer.disconnect()
    const values: unknown[] = []
    await consume('batches', 1, (processed) => ({
      eachBatch: async ({ batch }) => {
        for (const { value } of batch.messages) {
          values.push(value?.toString())
          processed()
        }
      },
    }))
    expect(values).toEqual(['kept'])
    const senders = spans.all().filter(({ name }) => name === 'send batches')
    expect(senders).toHaveLength(2)
    expect(spans.named('process batches').links.map(({ context }) => context.spanId)).toEqual([
      senders[1]?.spanContext().spanId,
    ])
  })

  it.each([
    ['micrometer', 'destination="measured-1"'],
    ['opentelemetry', 'messaging_destination_name="measured-2"'],
  ] as const)('is measured by the names of the convention %s', async (conventions, label) => {
    const topic = /measured-\d/.exec(label)?.[0] ?? ''
    const management = createManagement({ conventions, expose: ['prometheus'], metrics: { runtime: false } })
    try {
      await createTopic(topic)
      const producer = await connectProducer()
      await producer.send({ topic, messages: [{ value: 'a' }, { value: 'b' }] })
      await producer.disconnect()
      await consume(topic, 2, (processed) => ({ eachMessage: async () => processed() }))
      const lines = (await scrape(management)).text.split('\n').filter((line) => line.includes(label))
      const read = (name: string) =>
        lines
          .find((line) => line.startsWith(`${name}{`))
          ?.split(' ')
          .at(-1)
      expect(read('messaging_process_duration_seconds_count')).toBe('2')
      expect(read('messaging_client_sent_messages_total')).toBe('2')
      expect(read('messaging_client_consumed_messages_total')).toBe('2')
    } finally {
      management.close()
    }
  })
})
