import { extractTraceContext, traceHeadersOf } from '../../tracing/context/carrier.ts'
import { isWrapped } from '../official.ts'
import { overlay } from '../overlay.ts'
import { tracingNow } from '../tracing-now.ts'
import { beginSend, endWithWork, processMessages, senderIn } from './message-span.ts'

/** A kafkajs producer or transaction. */
export interface TraceableProducer {
  send(record: never): Promise<unknown>
  sendBatch(batch: never): Promise<unknown>
}

interface KafkaMessage {
  readonly headers?: Readonly<Record<string, unknown>> | undefined
}

interface TopicMessages {
  readonly topic: string
  readonly messages: readonly KafkaMessage[]
}

type Call = (...args: readonly unknown[]) => unknown

/**
 * Wraps a kafkajs producer: each `send` and `sendBatch` is one span, whose context all its messages carry, also in
 * transactions, and is timed by every management of the process. The result has the same type, and all other members
 * are unchanged. Creates no spans while OpenTelemetry's instrumentation of kafkajs is active.
 */
export function tracedProducer<P extends TraceableProducer>(producer: P): P {
  const send = producer.send.bind(producer) as Call
  const sendBatch = producer.sendBatch.bind(producer) as Call
  const { transaction } = producer as { readonly transaction?: Call }

  const traced =
    (call: Call, contents: (given: unknown) => readonly TopicMessages[], carrying: typeof withHeaders) =>
    (given: unknown) => {
      const tracing = isWrapped(producer.send) ? undefined : tracingNow()
      const observed = beginSend(tracing, () => callOf(contents(given)))
      if (observed === undefined) return call(given)
      const { span } = observed
      return endWithWork(observed, () =>
        tracing === undefined || span === undefined
          ? call(given)
          : tracing.run(span, () => call(carrying(given, traceHeadersOf(span.context)))),
      )
    }

  return overlay(producer, {
    send: traced(send, (record) => [record as TopicMessages], withHeaders),
    sendBatch: traced(
      sendBatch,
      (batch) => (batch as { readonly topicMessages: readonly TopicMessages[] }).topicMessages,
      (batch, headers) => {
        const { topicMessages, ...rest } = batch as { readonly topicMessages: readonly TopicMessages[] }
        return { ...rest, topicMessages: topicMessages.map((one) => withHeaders(one, headers)) }
      },
    ),
    ...(transaction !== undefined && {
      transaction: async (...args: readonly unknown[]) =>
        tracedProducer((await Reflect.apply(transaction, producer, args)) as TraceableProducer),
    }),
  })
}

function callOf(contents: readonly TopicMessages[]) {
  const topics = new Set(contents.map(({ topic }) => topic))
  const count = contents.reduce((sum, { messages }) => sum + messages.length, 0)
  const [topic] = topics
  return {
    system: 'kafka',
    operation: 'send',
    destination: topics.size === 1 ? topic : undefined,
    messages: count,
    attributes: { 'messaging.batch.message_count': count > 1 ? count : undefined },
  }
}

function withHeaders(record: unknown, headers: object): unknown {
  const { messages, ...rest } = record as TopicMessages
  return { ...rest, messages: messages.map((message) => ({ ...message, headers: { ...message.headers, ...headers } })) }
}

/** A kafkajs consumer. */
export interface TraceableConsumer {
  run(config: never): Promise<unknown>
}

interface EachMessage {
  readonly topic: string
  readonly partition: number
  readonly message: KafkaMessage & { readonly offset: string }
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
  return processMessages(call, senderIn(message.headers), work, isTraced)
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
  return processMessages(call, { ...senderIn(undefined), links }, work, isTraced)
}
