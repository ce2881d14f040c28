import type amqplib from 'amqplib'
import type { Consumer, Producer, Transaction } from 'kafkajs'
import type { headers, NatsConnection } from 'nats'
import type pg from 'pg'
import { expectTypeOf } from 'vitest'
import type { tracedChannel } from '../../../src/observation/clients/traced-channel.ts'
import type { tracedConsumer } from '../../../src/observation/clients/traced-consumer.ts'
import type { NatsHeaders, tracedNats } from '../../../src/observation/clients/traced-nats.ts'
import type { tracedPool } from '../../../src/observation/clients/traced-pool.ts'
import type { tracedProducer } from '../../../src/observation/clients/traced-producer.ts'

// Each real client is taken as it is, and none that is meant for another.
expectTypeOf<pg.Pool | pg.Client | pg.PoolClient>().toExtend<Parameters<typeof tracedPool>[0]>()
expectTypeOf<amqplib.Channel | amqplib.ConfirmChannel>().toExtend<Parameters<typeof tracedChannel>[0]>()
expectTypeOf<Producer | Transaction>().toExtend<Parameters<typeof tracedProducer>[0]>()
expectTypeOf<Consumer>().toExtend<Parameters<typeof tracedConsumer>[0]>()
expectTypeOf<NatsConnection>().toExtend<Parameters<typeof tracedNats>[0]>()
expectTypeOf<ReturnType<typeof headers>>().toExtend<NatsHeaders>()

expectTypeOf<Producer>().not.toExtend<Parameters<typeof tracedConsumer>[0]>()
expectTypeOf<pg.Pool>().not.toExtend<Parameters<typeof tracedChannel>[0]>()
