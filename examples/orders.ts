import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { uuidV7 } from 'upkeep/ids'
import { handleErrors, manage, serve } from 'upkeep/node'
import { collection, controller, created, createResources, pathTo, problem, representation } from 'upkeep/rest'
import { z } from 'zod'

const draft = z.object({ item: z.string().min(1).max(80), quantity: z.int().min(1) })
const order = draft.extend({ id: z.uuid(), status: z.enum(['open', 'cancelled']) })
type Order = z.infer<typeof order>

const orders = new Map<string, Order>()
const path = 'orders/{order}'

const management = createManagement({ expose: ['health', 'info'] })
const resources = createResources({
  basePath: '/api',
  description: { title: 'Orders', version: '1.0.0', management }, // served as /api/openapi
  relations: { cancel: { method: 'POST', description: 'Cancels an order that is open.' } },
  resources: [
    collection(path, {
      representation: representation('order', order),
      accepts: draft,
      filters: z.object({ status: order.shape.status.optional() }),
      list: ({ page, filters }) => {
        const found = [...orders.values()].filter(
          ({ status }) => filters.status === undefined || status === filters.status,
        )
        return { items: found.slice(page.startIndex, page.startIndex + page.size), total: found.length }
      },
      create: ({ body }) => {
        const placed: Order = { id: uuidV7(), status: 'open', ...body }
        orders.set(placed.id, placed)
        return created(pathTo(path, { order: placed.id }), placed) // 201 with Location
      },
      read: ({ variables }) => orders.get(variables.order), // undefined is a 404
      replace: ({ body, current }) => void orders.set(current.id, { ...current, ...body }), // 204
      remove: ({ current }) => orders.delete(current.id),
      requirePrecondition: true, // PUT and DELETE without If-Match: 428
      links: ({ id, status }) => ({
        self: pathTo(path, { order: id }),
        cancel: status === 'open' ? `${pathTo(path, { order: id })}/cancel` : undefined,
      }),
    }),
    controller(`${path}/cancel`, {
      run: ({ variables }) => {
        const found = orders.get(variables.order)
        if (found === undefined) throw problem(404, { detail: 'There is no such order.' })
        if (found.status !== 'open') throw problem(409, { detail: 'The order is cancelled already.' })
        orders.set(found.id, { ...found, status: 'cancelled' })
      },
    }),
  ],
})

const managed = manage(management)
const served = serve(resources)
const server = createServer(handleErrors((req, res) => managed(req, res, () => served(req, res))))
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.info(server.address()))
