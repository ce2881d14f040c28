import { bearerToken, type Clock } from 'upkeep'
import {
  accepted,
  bytesBody,
  collection,
  controller,
  created,
  createResources,
  document,
  formBody,
  HttpError,
  jsonBody,
  movedPermanently,
  ok,
  pathTo,
  problem,
  type Resources,
  type ResourcesOptions,
  representation,
  seeOther,
  store,
  temporaryRedirect,
  textBody,
} from 'upkeep/rest'
import { z } from 'zod'

export const token = 'let-me-in'
export const changedAt: number = Date.UTC(2026, 0, 1)

const orderV1 = z.object({ id: z.string(), item: z.string(), amount: z.number() })
const order = z.object({ id: z.string(), item: z.string(), quantity: z.int().min(1), customer: z.string() })
type Order = z.infer<typeof order>

const orders = representation('order', order, {
  version: 2,
  older: [
    {
      version: 1,
      schema: orderV1,
      from: ({ id, item, quantity }) => ({ id, item, amount: quantity }),
      to: ({ id, item, amount }: z.infer<typeof orderV1>) => ({ id, item, quantity: amount, customer: 'c1' }),
    },
  ],
})
const setting = representation('setting', z.object({ value: z.string() }))

export interface OrdersService {
  readonly resources: Resources
  readonly reported: unknown[]
  /** Call counts by operation. */
  readonly done: Record<string, number>
}

/** Creates a service with every archetype and with resources that fail. */
export function createOrdersService(options: Partial<ResourcesOptions> = {}): OrdersService {
  const reported: unknown[] = []
  const done: Record<string, number> = {}
  const count = (what: string) => {
    done[what] = (done[what] ?? 0) + 1
  }
  const kept = new Map<string, Order>(
    ['a', 'b', 'c', 'd', 'e'].map((id, at) => [id, { id, item: `item ${id}`, quantity: at + 1, customer: 'c1' }]),
  )
  const settings = new Map<string, { value: string }>([['color', { value: 'blue' }]])
  const drafts = new Map<string, unknown>()
  let next = 1

  const resources = createResources({
    basePath: '/api',
    authorize: bearerToken(token),
    report: (_message, cause) => reported.push(cause),
    bodyLimitBytes: 1_000,
    relations: {
      cancel: { method: 'POST', requestTypes: ['application/json'], description: 'Cancels an order.' },
      customer: { description: 'Who has ordered.' },
    },
    description: { title: 'Orders', version: '1.4.2' },
    resources: [
      collection('orders/{order}', {
        representation: orders,
        page: { size: 2, maximumSize: 3 },
        filters: z.object({ item: z.string().optional(), least: z.coerce.number().int().optional() }),
        list: ({ page: { size, startIndex }, filters: { item, least = 0 } }) => {
          const found = [...kept.values()].filter(
            (each) => (item === undefined || each.item === item) && each.quantity >= least,
          )
          return { items: found.slice(startIndex, startIndex + size), total: found.length, lastModified: changedAt }
        },
        create: ({ body }) => {
          count('create')
          const id = `n${next++}`
          kept.set(id, { ...body, id })
          return created(pathTo('orders/{order}', { order: id }), { ...body, id })
        },
        search: {
          criteria: z.object({ items: z.array(z.string()).min(1) }),
          run: ({ body, page }) => {
            const found = [...kept.values()].filter(({ item }) => body.items.includes(item))
            return { items: found.slice(page.startIndex, page.startIndex + page.size), total: found.length }
          },
        },
        read: ({ variables: { order: id } }) => (id === 'moved' ? movedPermanently('orders/a') : kept.get(id)),
        lastModified: () => changedAt,
        replace: ({ body, current }) => {
          count('replace')
          kept.set(current.id, { ...body, id: current.id })
          return { ...body, id: current.id }
        },
        remove: ({ current }) => {
          count('remove')
          kept.delete(current.id)
        },
        links: ({ id }) => ({ self: `orders/${id}`, customer: 'customers/c1', cancel: `orders/${id}/cancel` }),
        embeds: { customer: async () => ({ name: 'Éléonore' }) },
        forms: { 'text/html; charset=utf-8': ({ item }) => `<p>${item}</p>` },
      }),
      controller('orders/{order}/cancel', {
        accepts: z.object({ reason: z.string() }),
        run: ({ variables, body }) => {
          if (variables.order === 'shipped') throw problem(409, { detail: 'It is shipped.', shippedAt: '2026-01-01' })
          return body.reason === 'later' ? accepted('orders/a/cancellation') : undefined
        },
      }),
      controller('orders/repeat', { run: () => created('orders/a', { id: 'a' }) }),
      controller('orders/count', { run: () => ({ count: kept.size }) }),
      document('orders/{order}/cancellation', { read: () => ({ state: 'running' }), access: 'authorized' }),
      store('settings/{name}', {
        representation: setting,
        list: ({ page }) => ({ items: [...settings.values()].slice(page.startIndex, page.startIndex + page.size + 1) }),
        read: ({ variables }) => settings.get(variables.name),
        put: ({ variables, body }) => {
          count('put')
          settings.set(variables.name, body)
          return body
        },
        remove: ({ variables }) => settings.delete(variables.name),
        drop: () => count('drop'),
        access: { write: 'authorized' },
      }),
      store('drafts/{draft}', {
        requirePrecondition: true,
        read: ({ variables }) => drafts.get(variables.draft),
        put: ({ variables, body }) => void drafts.set(variables.draft, body),
        remove: ({ variables }) => drafts.delete(variables.draft),
      }),
      document('status', {
        read: () => ok({ state: 'fine', since: new Date(changedAt) }, { headers: { 'X-Region': 'eu' } }),
        caching: { maxAgeSeconds: 60 },
      }),
      document('secret', { read: () => ({ key: 1 }), caching: 'no-store', access: 'authorized' }),
      document('latest', { read: () => seeOther('orders/e') }),
      document('mirror', { read: () => temporaryRedirect('https://mirror.example/') }),
      document('broken', {
        read: () => {
          throw new Error('password=hunter2')
        },
      }),
      document('teapot', {
        read: () => {
          throw new HttpError(503, 'Come back.', { headers: { 'Retry-After': '9' } })
        },
      }),
      document('hasty', { read: () => accepted('status') as never }),
      controller('echo', {
        accepts: [jsonBody(), formBody() as never, textBody() as never],
        run: ({ body }) => ({ body }),
      }),
      controller('swallow', {
        accepts: bytesBody(),
        run: ({ body }) => ({ bytes: body.byteLength }),
      }),
    ],
    ...options,
  })
  return { resources, reported, done }
}

/** A fixed clock. */
export const still: Clock = { wallTime: () => Date.UTC(2026, 0, 2), monotonicTime: () => 0 }
