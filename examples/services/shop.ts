// What the services of this folder do, with any framework: orders in PostgreSQL, prices from another service, a queue of
// mails, and a task that closes old orders. Without DATABASE_URL the database is embedded, and empty at each start.
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { bearerToken, createManagement, HttpError, type Management, type ManagementOptions } from 'upkeep'
import { postgres } from 'upkeep/health'
import { createScheduledTasks, instrument, poolMeters, type ScheduledTasks, tracedPool } from 'upkeep/instrumentation'
import { startTelemetry, type Telemetry } from 'upkeep/otlp'
import { startPrices } from './prices.ts'
import { closeOld, placeWithMail, tables, takeMails } from './statements.ts'

export type Order = Readonly<{ id: number; item: string; cents: number; status: 'open' | 'closed' }>

export interface Shop {
  readonly management: Management
  /** What to send before the process ends. */
  readonly flush: readonly Telemetry[]
  list(): Promise<readonly Order[]>
  find(id: string): Promise<Order>
  /** Places an order of `{ item }`, which comes from the client. */
  place(draft: unknown): Promise<Order>
  close(): Promise<void>
}

export async function openShop(): Promise<Shop> {
  const { options, open } = await prepareShop()
  return open(createManagement(options))
}

/** Opens the database, for frameworks that create the management from options. */
export async function prepareShop() {
  const { DATABASE_URL, MANAGEMENT_TOKEN } = process.env
  const database = DATABASE_URL ? new pg.Pool({ connectionString: DATABASE_URL }) : await PGlite.create()
  const tasks = createScheduledTasks()
  const options = {
    application: { name: 'orders', version: '1.4.2' },
    expose: ['health', 'info', 'metrics', 'prometheus', 'scheduledtasks', 'mappings', 'console'],
    authorize: bearerToken(MANAGEMENT_TOKEN),
    health: {
      indicators: { db: postgres(database), scheduledTasks: tasks.indicator },
      groups: { readiness: { include: ['readinessState', 'db'] } },
    },
    scheduledTasks: tasks,
    tracing: true,
  } satisfies ManagementOptions
  return { options, open: (management: Management) => openWith(management, database, tasks) }
}

async function openWith(management: Management, database: pg.Pool | PGlite, tasks: ScheduledTasks): Promise<Shop> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT } = process.env
  instrument(management) // outgoing requests
  if (database instanceof pg.Pool) poolMeters(management.meters, 'orders', database)
  const flush = OTEL_EXPORTER_OTLP_ENDPOINT ? [await startTelemetry({ management })] : []

  const client = tracedPool(clientOf(database))
  const query = async <Row>(sql: string, ...values: readonly unknown[]) =>
    (await client.query(sql, [...values])).rows as readonly Row[]
  for (const table of tables) await query(table)

  let waiting = 0
  management.meters.gauge('mails.waiting', () => waiting)
  const sendMails = tasks.schedule(
    'mails.send',
    async () => {
      for (const { order_id: id } of await query<{ order_id: number }>(takeMails)) console.info(`mail: order ${id}`)
      waiting = (await query<{ waiting: number }>('select count(*)::int as waiting from mails'))[0]?.waiting ?? 0
    },
    { fixedRate: '2s' },
  )
  const closeOrders = tasks.schedule('orders.close', () => query(closeOld), { fixedRate: '1m' })
  const timers = [setInterval(sendMails, 2_000), setInterval(closeOrders, 60_000)]
  const prices = await startPrices()

  return {
    management,
    flush,
    list: () => query<Order>('select id, item, cents, status from orders order by id desc limit 50'),
    async find(id) {
      const [order] = await query<Order>('select id, item, cents, status from orders where id = $1', numberOf(id))
      if (order === undefined) throw new HttpError(404, `There is no order ${id}.`)
      return order
    },
    async place(draft) {
      const item = itemOf(draft)
      const response = await fetch(`${prices.url}/prices/${encodeURIComponent(item)}`)
      if (!response.ok) throw new HttpError(503, 'The price is not known at the moment.')
      const { cents } = (await response.json()) as { cents: number }
      const [order] = await query<Order>(placeWithMail, item, cents)
      if (order === undefined) throw new Error('the database returned no order')
      return order
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      prices.close()
      await (database instanceof pg.Pool ? database.end() : database.close())
    },
  }
}

/** The embedded database has one connection. */
function clientOf(database: pg.Pool | PGlite) {
  if (database instanceof pg.Pool) return database
  const client = { query: (sql: string, values: unknown[]) => database.query(sql, values) }
  return { ...client, connect: async () => client }
}

function itemOf(draft: unknown): string {
  const item = typeof draft === 'object' && draft !== null && 'item' in draft ? draft.item : undefined
  if (typeof item === 'string' && /^.{1,80}$/s.test(item)) return item
  throw new HttpError(400, 'item: expected a string of 1 to 80 characters')
}

function numberOf(id: string): number {
  if (/^\d{1,9}$/.test(id)) return Number(id)
  throw new HttpError(404, 'Order ids are numbers.')
}
