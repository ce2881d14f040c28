import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { joinCluster, reloadOnSignal } from 'upkeep/cluster'
import { manage, observe, shutdownGracefully } from 'upkeep/node'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'metrics', 'prometheus'],
})

if (cluster.isPrimary) {
  const workers = Number(process.env['WORKERS'] ?? 4)
  for (let started = 0; started < workers; started++) cluster.fork()
  joinCluster(management, { gauges: { 'orders.open': 'sum' } })
  reloadOnSignal('SIGHUP') // replaces the workers one after the other, for example after an update
} else {
  joinCluster(management, { gauges: { 'orders.open': 'sum' } }) // every worker now shows the values of all

  let open = 0
  management.meters.gauge('orders.open', {}, () => open)
  const observed = observe(management)
  const managed = manage(management)
  const placeOrder = (): string => {
    open += 1
    management.meters.counter('orders.placed').increment()
    return '{}'
  }
  const server = createServer((req, res) =>
    observed(req, res, () => managed(req, res, () => res.end(req.method === 'POST' ? placeOrder() : '[]'))),
  )
  shutdownGracefully(server, management, { delay: '0s' })
  server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.info(server.address()))
}
