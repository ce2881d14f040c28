// A service that is measured by prom-client, whose metrics leave through the bridge.
import { createServer } from 'node:http'
import { collectDefaultMetrics, register } from 'prom-client'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
import { prometheusRegistry } from 'upkeep/prometheus'

collectDefaultMetrics()
const management = createManagement({
  expose: ['health', 'metrics', 'prometheus'],
  metrics: { sources: [prometheusRegistry(register)] },
})
const managed = manage(management)
const server = createServer((request, response) => managed(request, response, () => response.end('ok')))
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit(0))
