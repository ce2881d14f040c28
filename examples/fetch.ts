import { createManagement } from 'upkeep'
import { handleErrors, manage, notFound, observe } from 'upkeep/fetch'
import { diskSpace } from 'upkeep/health'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: { indicators: { diskSpace: diskSpace() } },
})

const observed = observe(management) // times requests, and calls its second argument
const managed = manage(management) // answers /management/**, and undefined for the rest
const unknown = notFound() // unknown addresses get error documents
const route = (request: Request) => (request.url.endsWith('/orders') ? Response.json([]) : unknown(request))
const app = (request: Request) => observed(request, () => managed(request) ?? route(request))
export const fetch = handleErrors(app, management) // Bun.serve({ fetch }), Deno.serve(fetch), or any other fetch server
