// Uses the client of database.ts as an application does. Prints what upkeep has recorded, as JSON.
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import pg from 'pg'
import { createManagement, traced } from 'upkeep'

const exporter = new InMemorySpanExporter()
const ended = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(ended)
createManagement({ tracing: true, metrics: { runtime: false } })
const { db, management } = await import('./database.ts')

/** Runs operations in a span, and returns what was recorded below it. */
async function recorded(work: () => Promise<unknown>) {
  exporter.reset()
  const outcome = await traced('work', () => work().catch((error: unknown) => error))
  const spans = exporter.getFinishedSpans()
  const below = (parent: ReadableSpan | undefined): readonly unknown[] =>
    spans
      .filter((span) => span.parentSpanContext?.spanId === parent?.spanContext().spanId)
      .map((span) => [span.name + (span.status.code === SpanStatusCode.ERROR ? ' !' : ''), ...below(span)])
  return {
    tree: below(spans.find(({ name }) => name === 'work')),
    spans: spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    outcome: outcome instanceof Error ? outcome.name : outcome,
  }
}

function seriesOf(name: string) {
  return [...management.meters.snapshot(name)].map((meter) => ({
    ...Object.fromEntries(meter.id.tags.map(({ key, value }) => [key, value])),
    count: 'count' in meter ? meter.count : 'value' in meter ? meter.value : undefined,
  }))
}

const health = async () => (await management.health.check()).components?.['db']
const up = await health()

const order = { data: { email: 'bob@secret.example', items: { create: [{ name: 'secret item' }] } } }
const operations = {
  create: await recorded(() => db.order.create(order)),
  find: await recorded(() => db.order.findMany({ where: { email: 'bob@secret.example' }, include: { items: true } })),
  duplicate: await recorded(() => db.order.create(order)),
  invalid: await recorded(() => db.order.create({ data: { email: ['secret value'] as never } })),
  raw: await recorded(() => db.$queryRaw`SELECT ${'secret parameter'} AS text`),
  failedRaw: await recorded(() => db.$queryRawUnsafe('SELECT * FROM missing WHERE a = $1', 'secret parameter')),
  batch: await recorded(() => db.$transaction([db.order.count(), db.item.count()])),
  transaction: await recorded(() => db.$transaction(async (tx) => [await tx.order.count(), await tx.item.count()])),
  rolledBack: await recorded(() =>
    db.$transaction(async (tx) => {
      await tx.order.create({ data: { email: 'rolled-back@secret.example' } })
      throw new RangeError('secret reason')
    }),
  ),
  expired: await recorded(() =>
    db.$transaction(
      async (tx) => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await tx.order.count()
      },
      { timeout: 20 },
    ),
  ),
  extended: await recorded(() => {
    const further = db.$extends({ query: { $allOperations: ({ args, query }) => query(args) } })
    return further.$transaction(async (tx) => await tx.order.count())
  }),
  emails: await recorded(() => db.order.findMany({ select: { email: true } })),
}
const { pathname } = new URL(process.env['DATABASE_URL'] ?? '')
const pool = seriesOf('hikaricp.connections.creation')
const admin = new pg.Client({ connectionString: process.env['DATABASE_URL']?.replace(pathname, '/postgres') })
await admin.connect()
await admin.query(`DROP DATABASE ${pathname.slice(1)} WITH (FORCE)`)
await admin.end()
let down = await health()
while (down?.status === 'UP') {
  await new Promise((resolve) => setTimeout(resolve, 50))
  down = await health()
}
const series = seriesOf('db.client.operation.duration')
console.log(JSON.stringify({ up, down, operations, series, pool }))
process.exit()
