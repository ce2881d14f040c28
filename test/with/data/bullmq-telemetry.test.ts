import { SpanStatusCode } from '@opentelemetry/api'
import { createManagement, traced } from 'upkeep'
import { bullmqTelemetry } from 'upkeep/instrumentation'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { recordSpans } from '../../support/record-spans.ts'
import { recordedSeries } from '../../support/timed-operations.ts'
import { uniqueName } from '../../support/unique-name.ts'
import { bullmqVersions } from './bullmq-versions.ts'

const connection = { host: '127.0.0.1' }

type Process = (job: { readonly attemptsMade: number }) => unknown

await describeRunningServers([running.redis], () => {
  const spans = recordSpans()

  describe.each(bullmqVersions)('BullMQ %d', (_, { FlowProducer, Queue, UnrecoverableError, Worker }) => {
    /** Starts a queue and a worker, whose jobs are removed after the test. */
    async function startQueue(process: Process) {
      const management = createManagement({ metrics: { runtime: false } })
      const telemetry = bullmqTelemetry(management.meters)
      const name = uniqueName('upkeep-test')
      const queue = new Queue(name, { connection, telemetry })
      const worker = new Worker(name, async (job) => process(job), { connection, telemetry })
      const ended: string[] = []
      worker.on('completed', (job) => ended.push(`completed ${job.name}`))
      worker.on('failed', (job) => ended.push(`failed ${job?.name}`))
      worker.on('error', () => {})
      await worker.waitUntilReady()
      onTestFinished(async () => {
        await worker.close()
        await queue.obliterate({ force: true })
        await queue.close()
        management.close()
      })
      return { management, telemetry, name, queue, ended }
    }

    it('a job is processed in a child span of the span that added it', async () => {
      let traceInside: string | undefined
      const { name, queue, ended } = await startQueue(() => {
        traceInside = spans.activeSpan()?.context.traceId
        return traced('send', () => 'the private result')
      })
      const job = await spans.below('request', () => queue.add('welcome', { to: 'bob@example.com' }))
      await expect.poll(() => ended).toEqual(['completed welcome'])
      await expect
        .poll(() => spans.tree())
        .toEqual(['internal request', `  producer add ${name}`, `    consumer process ${name}`, '      internal send'])
      expect(spans.named(`add ${name}`).attributes).toEqual({
        'messaging.system': 'bullmq',
        'messaging.operation.name': 'add',
        'messaging.operation.type': 'send',
        'messaging.destination.name': name,
        'messaging.message.id': job.id,
        'bullmq.job.name': 'welcome',
      })
      const processed = spans.named(`process ${name}`)
      expect(processed.attributes).toEqual({
        'messaging.system': 'bullmq',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': name,
        'messaging.message.id': job.id,
        'bullmq.job.name': 'welcome',
        'bullmq.job.attempts.made': 1,
      })
      expect(traceInside).toBe(processed.spanContext().traceId)
      expect(JSON.stringify(spans.all().map(({ attributes, events }) => ({ attributes, events })))).not.toMatch(
        /bob@example|private result/,
      )
    })

    it('each attempt of a job is a child of the span that added it', async () => {
      const { management, name, queue, ended } = await startQueue(({ attemptsMade }) => {
        if (attemptsMade < 2) throw new TypeError(`attempt ${attemptsMade}`)
      })
      await spans.below('request', () => queue.add('flaky', {}, { attempts: 3 }))
      await expect.poll(() => ended).toEqual(['failed flaky', 'failed flaky', 'completed flaky'])
      await expect
        .poll(() => spans.tree())
        .toEqual([
          'internal request',
          `  producer add ${name}`,
          `    consumer process ${name} !`,
          `    consumer process ${name} !`,
          `    consumer process ${name}`,
        ])
      const [failed] = spans.all().filter(({ status }) => status.code === SpanStatusCode.ERROR)
      expect(failed?.events[0]?.attributes?.['exception.message']).toBe('attempt 0')
      const tags = { queue: name, job: 'flaky' }
      const { meters } = management
      expect(recordedSeries(meters, 'bullmq.jobs.completed')).toEqual([[tags, 1]])
      expect(recordedSeries(meters, 'bullmq.jobs.retried')).toEqual([[tags, 2]])
      expect(recordedSeries(meters, 'bullmq.jobs.failed')).toEqual([])
      expect(recordedSeries(meters, 'bullmq.job.duration')).toEqual(
        expect.arrayContaining([
          [{ ...tags, state: 'completed' }, 1],
          [{ ...tags, state: 'retried' }, 2],
        ]),
      )
      const call = { system: 'bullmq', destination: name }
      expect(recordedSeries(meters, 'messaging.process.duration')).toEqual(
        expect.arrayContaining([
          [{ ...call, operation: 'process', error: 'none' }, 1],
          [{ ...call, operation: 'process', error: 'Error' }, 2],
        ]),
      )
      expect(recordedSeries(meters, 'messaging.client.sent.messages')).toEqual([
        [{ ...call, operation: 'add', error: 'none' }, 1],
      ])
    })

    it('a job that fails for good is counted once', async () => {
      const { management, name, queue, ended } = await startQueue(() => {
        throw new UnrecoverableError('no such account')
      })
      await queue.add('charge', {}, { attempts: 5 })
      await expect.poll(() => ended).toEqual(['failed charge'])
      await expect.poll(() => spans.tree()).toEqual([`producer add ${name}`, `  consumer process ${name} !`])
      expect(recordedSeries(management.meters, 'bullmq.jobs.failed')).toEqual([[{ queue: name, job: 'charge' }, 1]])
    })

    it('jobs added in bulk are counted, and carry the context of one span', async () => {
      const { management, name, queue, ended } = await startQueue(() => {})
      await queue.addBulk(['a', 'b', 'c'].map((job) => ({ name: job, data: {} })))
      await expect.poll(() => ended.length).toBe(3)
      const process = `  consumer process ${name}`
      await expect.poll(() => spans.tree()).toEqual([`producer addBulk ${name}`, process, process, process])
      expect(spans.named(`addBulk ${name}`).attributes).toMatchObject({ 'messaging.batch.message_count': 3 })
      expect(recordedSeries(management.meters, 'messaging.client.sent.messages')).toEqual([
        [{ system: 'bullmq', destination: name, operation: 'addBulk', error: 'none' }, 3],
      ])
    })

    it('the jobs of a flow carry the context of the flow', async () => {
      const { telemetry, name, ended } = await startQueue(() => {})
      const flows = new FlowProducer({ connection, telemetry })
      onTestFinished(() => flows.close())
      const child = { name: 'child', queueName: name, data: {}, opts: {} }
      await flows.add({ name: 'parent', queueName: name, data: {}, opts: {}, children: [child] })
      await expect.poll(() => ended).toEqual(['completed child', 'completed parent'])
      const process = `  consumer process ${name}`
      await expect.poll(() => spans.tree()).toEqual([`producer addFlow ${name}`, process, process])
    })

    it('a job with omitContext is a trace of its own', async () => {
      const { name, queue, ended } = await startQueue(() => {})
      await queue.add('separate', {}, { telemetry: { omitContext: true } })
      await expect.poll(() => ended).toEqual(['completed separate'])
      await expect.poll(() => spans.tree()).toEqual([`producer add ${name}`, `consumer process ${name}`])
    })

    it('adding that fails is a failed span, and rejects as before', async () => {
      const { management, name, queue } = await startQueue(() => {})
      await expect(queue.add('too-big', { text: 'x'.repeat(64) }, { sizeLimit: 8 })).rejects.toThrow(
        'exceeds the limit',
      )
      expect(spans.tree()).toEqual([`producer add ${name} !`])
      expect(recordedSeries(management.meters, 'messaging.client.operation.duration')).toEqual([
        [{ system: 'bullmq', destination: name, operation: 'add', error: 'Error' }, 1],
      ])
    })
  })
})

it('requires the meters of a management', () => {
  expect(() => bullmqTelemetry({} as never)).toThrow(
    new TypeError('bullmqTelemetry: meters: expected the meters of a management, received an object'),
  )
})
