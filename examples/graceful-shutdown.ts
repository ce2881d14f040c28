import { createServer } from 'node:http'
import { createManagement, type Duration } from 'upkeep'
import { manage, shutdownGracefully } from 'upkeep/node'

const management = createManagement()
const managed = manage(management)
const server = createServer((req, res) => managed(req, res, () => setTimeout(() => res.end('[]'), 20)))

const consumer = setInterval(() => undefined, 1_000) // stands for what else the service does
shutdownGracefully(server, management, {
  delay: (process.env['SHUTDOWN_DELAY'] ?? '5s') as Duration, // longer than the load balancer takes to notice
  hooks: [{ name: 'consumer', run: () => clearInterval(consumer), timeout: '2s' }],
})
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.info(server.address()))
