import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { joinCluster, reloadOnSignal, stopWorkers } from 'upkeep/cluster'
import { manage, observe, shutdownGracefully } from 'upkeep/node'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'metrics', 'prometheus'],
})
joinCluster(management, { gauges: { 'orders.open': 'sum' } }) // each process shows the values of all

if (cluster.isPrimary) {
  const workers = Number(process.env['WORKERS'] ?? 4)
  for (let started = 0; started < workers; started++) cluster.fork()
  cluster.on('exit', ({ exitedAfterDisconnect }) => {
    if (!exitedAfterDisconnect) cluster.fork() // one that has crashed
  })
  reloadOnSignal('SIGHUP') // replaces the workers one after the other, such as after an update
  const hooks = [{ name: 'workers', run: () => stopWorkers(), timeout: '40s' as const }]
  shutdownGracefully([], management, { delay: '0s', hooks })
} else {
  const placed = management.meters.counter('orders.placed')
  let open = 0
  management.meters.gauge('orders.open', {}, () => open)
  const placeOrder = (): string => {
    placed.increment()
    open += 1
    return JSON.stringify({ worker: process.pid })
  }

  const observed = observe(management)
  const managed = manage(management)
  const server = createServer((req, res) =>
    observed(req, res, () => managed(req, res, () => res.end(req.method === 'POST' ? placeOrder() : '[]'))),
  )
  shutdownGracefully(server, management, { delay: '0s' })
  server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.info(server.address()))
}
