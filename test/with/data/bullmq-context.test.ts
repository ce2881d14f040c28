import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { defaultResource } from '@opentelemetry/resources'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bullmqTelemetry } from '../../../src/instrumentation/messaging/bullmq/bullmq-telemetry.ts'
import { createMeterRegistry } from '../../../src/metrics/registry.ts'
import { currentTrace } from '../../../src/tracing/context/carrier.ts'
import { getBaggage, withBaggage } from '../../../src/tracing/context/current-baggage.ts'
import { createNativeTracing, createTracing } from '../../../src/tracing/create-tracing.ts'
import { installTracing } from '../../../src/tracing/current-tracing.ts'
import { traced } from '../../../src/tracing/traced.ts'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { uniqueName } from '../../support/unique-name.ts'
import { bullmqVersions } from './bullmq-versions.ts'

const connection = { host: '127.0.0.1' }

interface EndedSpan {
  readonly name: string
  readonly links: readonly { readonly context: { readonly spanId: string } }[]
  readonly parentSpanContext?: { readonly spanId: string } | undefined
  spanContext(): { readonly traceId: string; readonly spanId: string }
}

/** Starts a queue and a worker, whose jobs are removed after the test. */
async function startQueue({ Queue, Worker }: (typeof bullmqVersions)[number][1], work: () => unknown) {
  const telemetry = bullmqTelemetry(createMeterRegistry())
  const name = uniqueName('upkeep-test')
  const queue = new Queue(name, { connection, telemetry })
  const worker = new Worker(name, async () => work(), { connection, telemetry })
  await worker.waitUntilReady()
  onTestFinished(async () => {
    await worker.close()
    await queue.obliterate({ force: true })
    await queue.close()
  })
  return queue
}

/** Lets upkeep record spans itself until the test is over; returns those of an operation that have ended. */
function recordNatively() {
  const ended: EndedSpan[] = []
  const processor = {
    onStart: () => {},
    onEnd: (span: EndedSpan) => void ended.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  }
  onTestFinished(installTracing(createNativeTracing({ recorder: { processor, resource: defaultResource() } })))
  return (operation: string, { name }: { readonly name: string }) =>
    ended.filter((span) => span.name === `${operation} ${name}`)
}

const runs = { every: 50, limit: 3 }

await describeRunningServers([running.redis], () => {
  describe.each(bullmqVersions)('BullMQ %d', (_, library) => {
    it.each([
      ['', () => {}],
      [
        ' beside the context manager of an SDK',
        () => {
          context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
          onTestFinished(() => context.disable())
        },
      ],
    ])('a job is processed below the span that added it, with its baggage%s', async (_beside, prepare) => {
      prepare()
      const spans = recordNatively()
      const seen: unknown[] = []
      const queue = await startQueue(library, async () => {
        seen.push(currentTrace()?.spanId, getBaggage('tenant'))
        await new Promise(setImmediate)
        seen.push(currentTrace()?.spanId)
      })
      await withBaggage({ tenant: 'acme' }, () => traced('request', () => queue.add('welcome', {})))
      await expect.poll(() => spans('process', queue).length).toBe(1)
      const [[added], [processed]] = [spans('add', queue), spans('process', queue)]
      expect(processed?.parentSpanContext?.spanId).toBe(added?.spanContext().spanId)
      const spanId = processed?.spanContext().spanId
      expect(seen).toEqual([spanId, 'acme', spanId])
      expect(currentTrace()).toBeUndefined()
    })

    it('each run of a job scheduler is a trace of its own, linked to the span that added the scheduler', async () => {
      const spans = recordNatively()
      const traces: unknown[] = []
      const queue = await startQueue(library, () => traces.push(currentTrace()?.traceId))
      await traced('start', () => queue.upsertJobScheduler('report', runs, { name: 'report', data: {} }))
      await expect.poll(() => spans('process', queue).length).toBe(3)
      const processed = spans('process', queue)
      expect(processed.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined, undefined])
      expect(traces).toEqual(processed.map((run) => run.spanContext().traceId))
      expect(new Set(traces).size).toBe(3)
      const [added] = spans('add', queue)
      for (const { links } of processed)
        expect(links.map((link) => link.context.spanId)).toEqual([added?.spanContext().spanId])
    })

    it('each run of a job scheduler has a trace id of its own while no spans are recorded', async () => {
      onTestFinished(installTracing(createTracing()))
      const traces: unknown[] = []
      const queue = await startQueue(library, () => traces.push(currentTrace()?.traceId))
      await traced('start', async () => {
        traces.push(currentTrace()?.traceId)
        await queue.upsertJobScheduler('report', runs, { name: 'report', data: {} })
      })
      await expect.poll(() => traces.length).toBe(4)
      expect(new Set(traces).size).toBe(4)
      expect(traces).not.toContain(undefined)
    })
  })
})
