import type http from 'node:http'
import { createRequire } from 'node:module'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import { AmqplibInstrumentation } from '@opentelemetry/instrumentation-amqplib'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis'
import { KafkaJsInstrumentation } from '@opentelemetry/instrumentation-kafkajs'
import { MySQL2Instrumentation } from '@opentelemetry/instrumentation-mysql2'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { createManagement } from 'upkeep'
import { instrument, tracedChannel, tracedPool, tracedProducer } from 'upkeep/instrumentation'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { startFakeKafka } from '../../support/fake-kafka.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { requestCounts } from '../../support/request-counts.ts'
import { startHttp } from '../../support/start-http.ts'

// They patch what is required, and so nothing that is imported without a loader.
const require = createRequire(import.meta.url)

// It patches only what is required for the first time after it, and others require node:http.
const ofHttp = new HttpInstrumentation({ ignoreIncomingRequestHook: () => true })

const spans = recordSpans()
const active: Instrumentation[] = []
function activate(instrumentation: Instrumentation): void {
  instrumentation.setTracerProvider(spans.provider)
  instrumentation.enable()
  active.push(instrumentation)
}

let management = createManagement({ metrics: { runtime: false } })
function instrumentAnew() {
  management = createManagement({ metrics: { runtime: false } })
  instrument(management)
}
afterEach(() => {
  management.close()
  for (const instrumentation of active.splice(0)) instrumentation.disable()
})

/** Who made the spans. */
const makers = () => [...new Set(spans.all().map((span) => span.instrumentationScope.name.split('/').at(-1)))]

await describeRunningServers(
  Object.values(running).filter(({ name }) => name !== 'NATS'),
  () => {
    describe("next to OpenTelemetry's instrumentation, upkeep does not trace", () => {
      it('mysql2', async () => {
        activate(new MySQL2Instrumentation())
        const mysql = require('mysql2/promise') as typeof import('mysql2/promise')
        instrumentAnew()
        const connection = await mysql.createConnection({ host: '127.0.0.1', user: 'root' })
        await connection.query('select 1')
        await connection.end()
        expect(makers()).toEqual(['instrumentation-mysql2'])
      })

      it('ioredis', async () => {
        activate(new IORedisInstrumentation({ requireParentSpan: false }))
        const { Redis } = require('ioredis') as typeof import('ioredis')
        instrumentAnew()
        const client = new Redis({ host: '127.0.0.1' })
        await client.ping()
        client.disconnect()
        expect(makers()).toEqual(['instrumentation-ioredis'])
      })

      it('node-redis', async () => {
        activate(new RedisInstrumentation())
        const { createClient } = require('redis') as typeof import('redis')
        instrumentAnew()
        const client = createClient({ url: 'redis://127.0.0.1:6379' })
        await client.connect()
        await client.ping()
        client.destroy()
        expect(makers()).toEqual(['instrumentation-redis'])
      })

      it('pg', async () => {
        activate(new PgInstrumentation())
        const pg = require('pg') as typeof import('pg')
        const pool = tracedPool(new pg.Pool({ host: '127.0.0.1', user: 'postgres', database: 'postgres' }))
        await spans.below('work', () => pool.query('select 1'))
        await pool.end()
        expect(makers().toSorted()).toEqual(['instrumentation-pg', 'upkeep'])
        expect(spans.all().filter((span) => span.instrumentationScope.name === 'upkeep')).toHaveLength(1)
      })

      it('amqplib', async () => {
        activate(new AmqplibInstrumentation())
        const amqp = require('amqplib') as typeof import('amqplib')
        const connection = await amqp.connect('amqp://127.0.0.1')
        const channel = tracedChannel(await connection.createChannel())
        channel.publish('amq.topic', 'instrument.test', Buffer.from('x'))
        await channel.close()
        await connection.close()
        expect(makers()).toEqual(['instrumentation-amqplib'])
      })
    })
  },
)

it("next to OpenTelemetry's instrumentation of kafkajs, upkeep does not trace", async () => {
  activate(new KafkaJsInstrumentation())
  const { Kafka, logLevel } = require('kafkajs') as typeof import('kafkajs')
  const fake = await startFakeKafka()
  const producer = tracedProducer(new Kafka({ brokers: [fake.url], logLevel: logLevel.NOTHING }).producer())
  await producer.connect()
  await producer.send({ topic: 'orders', messages: [{ value: 'x' }] })
  await producer.disconnect()
  await fake.dispose()
  expect(makers()).toEqual(['instrumentation-kafkajs'])
})

describe("requests traced by OpenTelemetry's instrumentation are timed and not traced again:", () => {
  const server = startHttp((_, response) => response.end())
  afterAll(async () => (await server).dispose())

  it.each([
    ['before', true],
    ['after', false],
  ])('by fetch, instrumented %s upkeep', async (_, isFirst) => {
    if (isFirst) activate(new UndiciInstrumentation())
    instrumentAnew()
    if (!isFirst) activate(new UndiciInstrumentation())
    await (await fetch((await server).url)).text()
    expect(makers()).toEqual(['instrumentation-undici'])
    expect([...requestCounts(management.meters, 'http.client.requests').values()]).toEqual([1])
  })

  it('by node:http', async () => {
    activate(ofHttp)
    const required = require('node:http') as typeof http
    instrumentAnew()
    const { url } = await server
    await new Promise<void>((resolve) => {
      required.get(url, (response) => response.resume().on('close', () => setImmediate(resolve)))
    })
    expect(makers()).toEqual(['instrumentation-http'])
    expect([...requestCounts(management.meters, 'http.client.requests').values()]).toEqual([1])
  })
})
