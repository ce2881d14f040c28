import type amqplib from 'amqplib'
import type { Consumer, Producer, Transaction } from 'kafkajs'
import type { headers, NatsConnection } from 'nats'
import type pg from 'pg'
import type {
  NatsHeaders,
  tracedChannel,
  tracedConsumer,
  tracedNats,
  tracedPool,
  tracedProducer,
} from 'upkeep/instrumentation'
import { expectTypeOf } from 'vitest'

// Each real client is taken as it is, and none that is meant for another.
expectTypeOf<pg.Pool | pg.Client | pg.PoolClient>().toExtend<Parameters<typeof tracedPool>[0]>()
expectTypeOf<amqplib.Channel | amqplib.ConfirmChannel>().toExtend<Parameters<typeof tracedChannel>[0]>()
expectTypeOf<Producer | Transaction>().toExtend<Parameters<typeof tracedProducer>[0]>()
expectTypeOf<Consumer>().toExtend<Parameters<typeof tracedConsumer>[0]>()
expectTypeOf<NatsConnection>().toExtend<Parameters<typeof tracedNats>[0]>()
expectTypeOf<ReturnType<typeof headers>>().toExtend<NatsHeaders>()

expectTypeOf<Producer>().not.toExtend<Parameters<typeof tracedConsumer>[0]>()
expectTypeOf<pg.Pool>().not.toExtend<Parameters<typeof tracedChannel>[0]>()
