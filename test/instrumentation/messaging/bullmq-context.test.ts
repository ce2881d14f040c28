import { defaultResource } from '@opentelemetry/resources'
import { Queue, Worker } from 'bullmq'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { bullmqTelemetry } from '../../../src/instrumentation/messaging/bullmq/bullmq-telemetry.ts'
import { createMeterRegistry } from '../../../src/metrics/registry.ts'
import { currentTrace } from '../../../src/tracing/context/carrier.ts'
import { getBaggage, withBaggage } from '../../../src/tracing/context/current-baggage.ts'
import { createNativeTracing } from '../../../src/tracing/create-tracing.ts'
import { installTracing } from '../../../src/tracing/current-tracing.ts'
import { traced } from '../../../src/tracing/traced.ts'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { uniqueName } from '../../support/unique-name.ts'

const connection = { host: '127.0.0.1' }

interface EndedSpan {
  readonly name: string
  readonly links: readonly { readonly context: { readonly spanId: string } }[]
  readonly parentSpanContext?: { readonly spanId: string } | undefined
  spanContext(): { readonly traceId: string; readonly spanId: string }
}

const ended: EndedSpan[] = []
const processor = {
  onStart: () => {},
  onEnd: (span: EndedSpan) => void ended.push(span),
  forceFlush: async () => {},
  shutdown: async () => {},
}

/** Starts a queue and a worker, whose jobs are removed after the test. */
async function startQueue(work: () => unknown) {
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
  return { queue, spans: (operation: string) => ended.filter((span) => span.name === `${operation} ${name}`) }
}

await describeRunningServers([running.redis], () => {
  let uninstall: () => void
  beforeAll(() => {
    uninstall = installTracing(createNativeTracing({ recorder: { processor, resource: defaultResource() } }))
  })
  beforeEach(() => void ended.splice(0))
  afterAll(() => uninstall())

  it('a job is processed below the span that added it, with its baggage', async () => {
    const seen: unknown[] = []
    const { queue, spans } = await startQueue(async () => {
      seen.push(currentTrace()?.spanId, getBaggage('tenant'))
      await new Promise(setImmediate)
      seen.push(currentTrace()?.spanId)
    })
    await withBaggage({ tenant: 'acme' }, () => traced('request', () => queue.add('welcome', {})))
    await expect.poll(() => spans('process').length).toBe(1)
    const [[added], [processed]] = [spans('add'), spans('process')]
    expect(processed?.parentSpanContext?.spanId).toBe(added?.spanContext().spanId)
    const spanId = processed?.spanContext().spanId
    expect(seen).toEqual([spanId, 'acme', spanId])
    expect(currentTrace()).toBeUndefined()
  })

  it('each run of a job scheduler is a trace of its own, linked to the span that added the scheduler', async () => {
    const traces: unknown[] = []
    const { queue, spans } = await startQueue(() => traces.push(currentTrace()?.traceId))
    await traced('start', () =>
      queue.upsertJobScheduler('report', { every: 50, limit: 3 }, { name: 'report', data: {} }),
    )
    await expect.poll(() => spans('process').length).toBe(3)
    const runs = spans('process')
    expect(runs.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined, undefined])
    expect(traces).toEqual(runs.map((run) => run.spanContext().traceId))
    expect(new Set(traces).size).toBe(3)
    const [added] = spans('add')
    for (const { links } of runs)
      expect(links.map(({ context }) => context.spanId)).toEqual([added?.spanContext().spanId])
  })
})
