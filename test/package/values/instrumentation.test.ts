import { createManagement } from 'upkeep'
import {
  bullmqTelemetry,
  instrument,
  queueMeters,
  tracedChannel,
  tracedNats,
  tracedPool,
  tracedPrisma,
} from 'upkeep/instrumentation'
import { expect, it, onTestFinished } from 'vitest'

function createTraced() {
  const management = createManagement({ tracing: true, metrics: { runtime: false } })
  onTestFinished(() => management.close())
  instrument(management)
  const count = (name: string) =>
    [...management.meters.snapshot(name)].reduce((sum, meter) => sum + (meter.kind === 'timer' ? meter.count : 0), 0)
  return { meters: management.meters, count }
}

it('bullmqTelemetry propagates the trace of a span', () => {
  const { tracer, contextManager } = bullmqTelemetry(createTraced().meters)
  const span = tracer.startSpan('add', { kind: 3 })
  span.setAttributes({ 'bullmq.queue.operation': 'add', 'bullmq.queue.name': 'mails' })
  const metadata = contextManager.getMetadata(span.setSpanOnContext(contextManager.root()))
  span.end()
  expect(metadata).toMatch(/00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]/)
})

it('queueMeters reads the jobs of a queue by their state', async () => {
  const { meters } = createTraced()
  queueMeters(meters, { name: 'mails', getJobCounts: async () => ({ waiting: 2 }), getJobs: async () => [] })
  await meters.refresh?.()
  const [waiting] = [...meters.snapshot('bullmq.queue.jobs')].filter(({ id }) =>
    id.tags.some(({ key, value }) => key === 'state' && value === 'waiting'),
  )
  expect(waiting).toMatchObject({ kind: 'gauge', value: 2 })
})

it('tracedPool and tracedPrisma time the operations of a database', async () => {
  const { count } = createTraced()
  const before = count('db.client.operation.duration')
  const pool = tracedPool({ query: async (_sql: string) => ({ rows: [1] }), connect: async () => ({}) })
  expect(await pool.query('select 1')).toEqual({ rows: [1] })

  const client = {
    $extends: (extension: { readonly client: object }) => ({ ...client, ...extension.client }),
    $transaction: async (_queries: readonly unknown[]) => 'committed',
  }
  expect(await tracedPrisma(client).$transaction([])).toBe('committed')
  expect(count('db.client.operation.duration')).toBe(before + 2)
})

it('tracedChannel and tracedNats send the trace with a message', () => {
  createTraced()
  const sent: { readonly headers: Readonly<Record<string, string>> | Headers }[] = []
  const channel = tracedChannel({
    publish: (_exchange: string, _key: string, _content: Buffer, options: (typeof sent)[0]) => sent.push(options) > 0,
    sendToQueue: () => true,
    consume: () => undefined,
  })
  channel.publish('orders', 'made', Buffer.from('1'), { headers: {} })

  const headers = new Map<string, string>()
  const nats = tracedNats(
    {
      publish: (_subject: string, _payload?: string, _options?: object) => {},
      request: async () => 1,
      subscribe: () => 1,
    },
    () => ({
      set: (name, value) => void headers.set(name, value),
      append: (name, value) => void headers.set(name, value),
      *[Symbol.iterator]() {},
    }),
  )
  nats.publish('orders', '1')
  const traceparent = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$/)
  expect([sent, Object.fromEntries(headers)]).toMatchObject([[{ headers: { traceparent } }], { traceparent }])
})
