import { connect } from 'amqplib'
import { connect as connectWithCallbacks } from 'amqplib/callback_api'
import { tracedChannel } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { uniqueName } from '../../support/unique-name.ts'

const queue = uniqueName('upkeep-test')

await describeRunningServers([running.rabbitmq], () => {
  const spans = recordSpans()
  let connection: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    connection = await connect('amqp://127.0.0.1')
    const channel = await connection.createChannel()
    await channel.assertQueue(queue, { autoDelete: false, durable: false, exclusive: true })
    await channel.close()
  })
  afterAll(() => connection.close())

  const content = Buffer.from('zqzq')

  describe('a message on a traced channel', () => {
    it("is processed as a child of its sender's span", async () => {
      const channel = tracedChannel(await connection.createChannel())
      const processed = deferred<string | undefined>()
      // biome-ignore lint/nursery/noMisusedPromises: amqplib does not wait for it, and the span does.
      await channel.consume(queue, async (message) => {
        await null
        if (message) channel.ack(message)
        processed.resolve(message?.properties.headers?.['mine'] as string)
        await null
      })
      const headers = { mine: 'kept' }
      await spans.below('work', async () => {
        channel.sendToQueue(queue, content, { headers, messageId: 'm-1' })
      })
      expect(await processed.promise).toBe('kept')
      expect(headers).toEqual({ mine: 'kept' })
      await channel.close()

      expect(spans.tree()).toEqual(['internal work', `  producer publish ${queue}`, `    consumer process ${queue}`])
      expect(spans.named(`publish ${queue}`).attributes).toMatchObject({
        'messaging.system': 'rabbitmq',
        'messaging.operation.name': 'publish',
        'messaging.operation.type': 'send',
        'messaging.destination.name': queue,
        'messaging.rabbitmq.destination.routing_key': queue,
        'messaging.message.id': 'm-1',
        'server.address': '127.0.0.1',
        'server.port': 5672,
      })
      expect(spans.named(`process ${queue}`).attributes).toMatchObject({
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
      })
    })

    it('has the name of its exchange and its routing key', async () => {
      const channel = tracedChannel(await connection.createChannel())
      channel.publish('amq.topic', 'instrument.test', content)
      await channel.close()
      expect(spans.tree()).toEqual(['producer publish amq.topic:instrument.test'])
    })

    it('is a failed span if its work fails, with the same error', async () => {
      const channel = tracedChannel(await connection.createChannel())
      // biome-ignore lint/nursery/noMisusedPromises: amqplib does not wait for it, and the span does.
      await channel.consume(queue, async (message) => {
        if (message) channel.ack(message)
        throw new RangeError('no')
      })
      const own = process.rawListeners('unhandledRejection')
      process.removeAllListeners('unhandledRejection')
      const seen = new Promise((resolve) => process.once('unhandledRejection', resolve))
      channel.sendToQueue(queue, content)
      expect(await seen).toBeInstanceOf(RangeError)
      for (const listener of own) process.on('unhandledRejection', listener as () => void)
      await channel.close()
      expect(spans.tree()).toEqual([`producer publish ${queue}`, `  consumer process ${queue} !`])
      expect(spans.named(`process ${queue}`).attributes).toMatchObject({ 'error.type': 'RangeError' })
    })

    it('starts a trace if it has none', async () => {
      const plain = await connection.createChannel()
      const channel = tracedChannel(plain)
      const processed = deferred<void>()
      await spans.below('start-up', () =>
        channel.consume(queue, (message) => {
          if (message) channel.ack(message)
          processed.resolve()
        }),
      )
      plain.sendToQueue(queue, content)
      await processed.promise
      await channel.close()
      expect(spans.tree()).toEqual(['internal start-up', `consumer process ${queue}`])
    })
  })

  describe('a traced confirm channel', () => {
    it('ends the span with the confirmation, whose callback runs in the context of the caller', async () => {
      const channel = tracedChannel(await connection.createConfirmChannel())
      await spans.below(
        'work',
        (span) =>
          new Promise<void>((resolve, reject) => {
            channel.publish('', `${queue}-nowhere`, content, {}, (error) => {
              expect(spans.activeSpan()?.context.spanId).toBe(span.context.spanId)
              expect(spans.tree()).toEqual([])
              if (error) reject(error)
              resolve()
            })
            expect(spans.all()).toEqual([])
          }),
      )
      await channel.waitForConfirms()
      await channel.close()
      expect(spans.tree()).toEqual(['internal work', `  producer publish ${queue}-nowhere`])
    })
  })

  describe('tracedChannel', () => {
    it('traces channels with callbacks', async () => {
      await new Promise<void>((resolve, reject) => {
        connectWithCallbacks('amqp://127.0.0.1', (error, own) => {
          if (error) return reject(error)
          own.createChannel((failure, plain) => {
            if (failure) return reject(failure)
            tracedChannel(plain).sendToQueue(`${queue}-nowhere`, content)
            own.close(() => resolve())
          })
        })
      })
      expect(spans.tree()).toEqual([`producer publish ${queue}-nowhere`])
    })

    it('rejects what amqplib rejects', async () => {
      const channel = tracedChannel(await connection.createChannel())
      expect(() => channel.publish('', queue, 'a text' as never)).toThrow(TypeError)
      await channel.close()
      expect(spans.tree()).toEqual([`producer publish ${queue} !`])
    })
  })
})
