import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { diskSpace } from 'upkeep/health'
import { handleErrors, manage, notFound, observe } from 'upkeep/node'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: { indicators: { diskSpace: diskSpace() } },
})

const observed = observe(management) // times requests, and calls its third argument
const managed = manage(management) // serves /management/**, and calls its third argument for the rest
const unknown = notFound() // unknown addresses get error documents, and so do thrown errors
const route: typeof unknown = (req, res) => (req.url === '/orders' ? res.end('[]') : unknown(req, res))
const app = handleErrors((req, res) => observed(req, res, () => managed(req, res, () => route(req, res))), management)
const server = createServer(app)
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.info(server.address()))
