import { extractBaggage, extractTraceContext } from '../../tracing/context/carrier.ts'
import { isWrapped } from '../official.ts'
import { overlay } from '../overlay.ts'
import { processMessages } from './message-span.ts'

/** A kafkajs consumer. */
export interface TraceableConsumer {
  run(config: never): Promise<unknown>
}

interface KafkaMessage {
  readonly offset: string
  readonly headers?: Readonly<Record<string, unknown>> | undefined
}

interface EachMessage {
  readonly topic: string
  readonly partition: number
  readonly message: KafkaMessage
}

interface EachBatch {
  readonly batch: { readonly topic: string; readonly partition: number; readonly messages: readonly KafkaMessage[] }
}

interface RunConfig {
  readonly eachMessage?: ((payload: EachMessage) => unknown) | undefined
  readonly eachBatch?: ((payload: EachBatch) => unknown) | undefined
}

/** Maximum number of links of a batch. */
const maxLinks = 128

/**
 * Wraps a kafkajs consumer: `eachMessage` runs in a child span of the message's sender, `eachBatch` in a root span
 * linked to the senders. Both are timed by every management of the process. The result has the same type, and all other
 * members are unchanged. Creates no spans while OpenTelemetry's instrumentation of kafkajs is active.
 */
export function tracedConsumer<C extends TraceableConsumer>(consumer: C): C {
  const run = consumer.run.bind(consumer) as (config?: RunConfig) => Promise<unknown>
  return overlay(consumer, {
    run(config?: RunConfig) {
      if (config === undefined) return run(config)
      const isTraced = !isWrapped(consumer.run)
      const { eachMessage, eachBatch } = config
      return run({
        ...config,
        ...(eachMessage && {
          eachMessage: (payload: EachMessage) => processOne(payload, () => eachMessage(payload), isTraced),
        }),
        ...(eachBatch && {
          eachBatch: (payload: EachBatch) => processBatch(payload, () => eachBatch(payload), isTraced),
        }),
      })
    },
  })
}

function processOne({ topic, partition, message }: EachMessage, work: () => unknown, isTraced: boolean): unknown {
  const call = {
    system: 'kafka',
    operation: 'process',
    destination: topic,
    attributes: {
      'messaging.destination.partition.id': String(partition),
      'messaging.kafka.offset': Number(message.offset),
    },
  }
  const { headers } = message
  return processMessages(call, extractTraceContext(headers), [], extractBaggage(headers), work, isTraced)
}

function processBatch({ batch }: EachBatch, work: () => unknown, isTraced: boolean): unknown {
  const { topic, partition, messages } = batch
  const call = {
    system: 'kafka',
    operation: 'process',
    destination: topic,
    messages: messages.length,
    attributes: {
      'messaging.destination.partition.id': String(partition),
      'messaging.batch.message_count': messages.length,
    },
  }
  const links = messages.slice(0, maxLinks).flatMap((message) => extractTraceContext(message.headers) ?? [])
  // The messages of a batch may have different baggage.
  return processMessages(call, undefined, links, extractBaggage(undefined), work, isTraced)
}
