import { connect } from 'amqplib'
import { type EachMessagePayload, Kafka, logLevel, Partitioners } from 'kafkajs'
import { connect as connectNats, headers } from 'nats'
import { tracedChannel, tracedConsumer, tracedNats, tracedProducer } from 'upkeep/instrumentation'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { startFakeKafka } from '../../support/fake-kafka.ts'
import { processTracing } from '../../support/process-tracing.ts'
import { managementsOfBothConventions, recordedSeries } from '../../support/timed-operations.ts'
import { uniqueName } from '../../support/unique-name.ts'
import { useServer } from '../../support/use-server.ts'

const names = {
  sending: 'messaging.client.operation.duration',
  processing: 'messaging.process.duration',
  sent: 'messaging.client.sent.messages',
  consumed: 'messaging.client.consumed.messages',
} as const

function observe() {
  const { micrometer, opentelemetry } = managementsOfBothConventions()
  onTestFinished(() => {
    micrometer.close()
    opentelemetry.close()
  })
  expect(processTracing()).toBeUndefined()
  return {
    micrometer: (meter: keyof typeof names) => recordedSeries(micrometer.meters, names[meter]),
    opentelemetry: (meter: keyof typeof names) => recordedSeries(opentelemetry.meters, names[meter]),
    opentelemetryMeters: opentelemetry.meters,
  }
}

await describeRunningServers([running.rabbitmq], () => {
  it('messages of a wrapped amqplib channel are timed and counted without tracing', async () => {
    const connection = await connect('amqp://127.0.0.1')
    onTestFinished(() => connection.close())
    const queue = uniqueName('upkeep-test')
    const channel = tracedChannel(await connection.createChannel())
    await channel.assertQueue(queue, { durable: false, exclusive: true })
    const { micrometer, opentelemetry, opentelemetryMeters } = observe()
    const headersOf = deferred<unknown>()
    await channel.consume(queue, (message) => headersOf.resolve(message?.properties.headers), { noAck: true })
    channel.sendToQueue(queue, Buffer.from('a'))
    expect(await headersOf.promise).toEqual({})
    await expect.poll(() => micrometer('consumed').length).toBe(1)

    const tags = { system: 'rabbitmq', destination: queue, error: 'none' }
    expect(micrometer('sending')).toEqual([[{ ...tags, operation: 'publish' }, 1]])
    expect(micrometer('sent')).toEqual([[{ ...tags, operation: 'publish' }, 1]])
    expect(micrometer('processing')).toEqual([[{ ...tags, operation: 'process' }, 1]])
    expect(micrometer('consumed')).toEqual([[{ ...tags, operation: 'process' }, 1]])
    const attributes = {
      'messaging.system.name': 'rabbitmq',
      'messaging.destination.name': queue,
      'server.address': '127.0.0.1',
      'server.port': '5672',
    }
    const publish = { ...attributes, 'messaging.operation.name': 'publish' }
    expect(opentelemetry('sending')).toEqual([[{ ...publish, 'messaging.operation.type': 'send' }, 1]])
    expect(opentelemetry('sent')).toEqual([[publish, 1]])
    expect(opentelemetry('processing')).toEqual([[{ ...attributes, 'messaging.operation.name': 'process' }, 1]])
    expect([...opentelemetryMeters.snapshot(names.processing)]).toMatchObject([
      { buckets: { bounds: expect.arrayContaining([0.005, 0.075, 10]) } },
    ])
  })

  it('generated queues and routing keys are not part of the destination', async () => {
    const connection = await connect('amqp://127.0.0.1')
    onTestFinished(() => connection.close())
    const channel = tracedChannel(await connection.createChannel())
    const exchange = uniqueName('upkeep-test')
    await channel.assertExchange(exchange, 'topic', { durable: false, autoDelete: true })
    const { queue } = await channel.assertQueue('', { exclusive: true })
    await channel.bindQueue(queue, exchange, '#')
    const { micrometer } = observe()
    await channel.consume(queue, () => {}, { noAck: true })
    for (let n = 0; n < 3; n++) channel.publish(exchange, `order.${n}`, Buffer.from('a'))
    await expect
      .poll(() => micrometer('consumed'))
      .toMatchObject([[{ destination: '(anonymous)', operation: 'process' }, 3]])
    expect(micrometer('sent')).toMatchObject([[{ destination: exchange }, 3]])
  })
})

await describeRunningServers([running.nats], () => {
  it('messages of a wrapped NATS connection are timed by the subject of the subscription', async () => {
    const connection = tracedNats(await connectNats({ servers: '127.0.0.1' }), headers)
    onTestFinished(() => connection.close())
    const subject = uniqueName('upkeep-test')
    const { micrometer, opentelemetry } = observe()
    connection.subscribe(`${subject}.*`, { callback: (_, message) => void message.respond('done') })
    await connection.request(`${subject}.1`, 'a')
    const tags = { system: 'nats', error: 'none' }
    expect(micrometer('processing')).toEqual([[{ ...tags, operation: 'process', destination: `${subject}.*` }, 1]])
    expect(micrometer('sending')).toEqual([[{ ...tags, operation: 'request', destination: `${subject}.1` }, 1]])
    expect(opentelemetry('sending')).toMatchObject([
      [{ 'messaging.system.name': 'nats', 'messaging.operation.type': 'send', 'server.port': '4222' }, 1],
    ])
    await expect(connection.request('nobody', 'a')).rejects.toThrow()
    expect(opentelemetry('sending')).toContainEqual([expect.objectContaining({ 'error.type': '503' }), 1])
  })
})

describe('kafkajs', () => {
  const server = useServer(startFakeKafka)

  it('messages of a wrapped producer are timed by topic, and counted', async () => {
    const client = new Kafka({ brokers: [server().url], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
    const producer = tracedProducer(client.producer({ createPartitioner: Partitioners.DefaultPartitioner }))
    await producer.connect()
    const { micrometer, opentelemetry } = observe()
    await producer.send({ topic: 'orders', messages: [{ value: 'a' }, { value: 'b' }] })
    await producer.disconnect()
    await expect(producer.send({ topic: 'orders', messages: [{ value: 'a' }] })).rejects.toThrow('disconnected')
    const tags = { system: 'kafka', operation: 'send', destination: 'orders' }
    expect(micrometer('sending')).toEqual([
      [{ ...tags, error: 'none' }, 1],
      [{ ...tags, error: 'KafkaJSError' }, 1],
    ])
    expect(micrometer('sent')).toEqual([
      [{ ...tags, error: 'none' }, 2],
      [{ ...tags, error: 'KafkaJSError' }, 1],
    ])
    expect(opentelemetry('sending')).toContainEqual([expect.objectContaining({ 'error.type': 'KafkaJSError' }), 1])
  })

  it('messages of a wrapped consumer are timed until their work is done, and counted', async () => {
    let run: ((payload: EachMessagePayload) => Promise<void>) | undefined
    const consumer = tracedConsumer({
      run: async (config?: { eachMessage?: (payload: EachMessagePayload) => Promise<void> }) => {
        run = config?.eachMessage
      },
    })
    const { micrometer } = observe()
    const done = deferred<void>()
    await consumer.run({ eachMessage: () => done.promise })
    const payload = { topic: 'orders', partition: 0, message: { offset: '1' } } as EachMessagePayload
    const processed = run?.(payload)
    expect(micrometer('processing')).toEqual([])
    done.resolve()
    await processed
    expect(micrometer('processing')).toMatchObject([[{ system: 'kafka', destination: 'orders', error: 'none' }, 1]])
    expect(micrometer('consumed')).toMatchObject([[{ destination: 'orders' }, 1]])
  })
})
