import { createServer } from 'node:http'
import { createManagement, diskSpace } from 'upkeep'
import { answerErrors, manage } from 'upkeep/node'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info'],
  health: { indicators: { diskSpace: diskSpace() } },
})

const managed = manage(management) // serves /management/**, and calls its third argument for the rest
const handler = answerErrors((req, res) => managed(req, res, () => res.end('[]'))) // thrown errors become error documents
const server = createServer(handler)
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.info(server.address()))
