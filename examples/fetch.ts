import { createManagement, diskSpace } from 'upkeep'
import { answerErrors, manage, observe } from 'upkeep/fetch'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: { indicators: { diskSpace: diskSpace() } },
})

const observed = observe(management) // times requests, and calls its second argument
const managed = manage(management) // answers /management/**, and undefined for the rest
const app = (request: Request) => observed(request, () => managed(request) ?? Response.json([]))
export const fetch = answerErrors(app) // Bun.serve({ fetch }), Deno.serve(fetch), or any other fetch server
