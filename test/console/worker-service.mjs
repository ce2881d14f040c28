// A service of node:cluster, whose workers share a port and are a group. The worker 1 ends when it responds to /exit/1.
import cluster from 'node:cluster'
import { createServer } from 'node:http'

const { UPKEEP_DIST, GROUP_DIRECTORY, WORKERS } = process.env

if (cluster.isPrimary) {
  let listening = 0
  cluster.on('listening', (_worker, { port }) => {
    listening += 1
    if (listening === Number(WORKERS)) console.log(`ready at ${port}`)
  })
  for (let at = 0; at < Number(WORKERS); at += 1) cluster.fork()
} else {
  const { bearerToken, createManagement } = await import(`${UPKEEP_DIST}/index.js`)
  const { joinCluster } = await import(`${UPKEEP_DIST}/cluster.js`)
  const { createLogger } = await import(`${UPKEEP_DIST}/logging.js`)
  const { manage, observe } = await import(`${UPKEEP_DIST}/node.js`)
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  const management = createManagement({
    application: { name: 'orders', version: '1.4.2' },
    expose: ['health', 'metrics', 'console'],
    authorize: bearerToken('let-me-in'),
    audit: () => {},
  })
  const { slot } = joinCluster(management, { directory: GROUP_DIRECTORY, group: 'workers' })
  const orders = management.meters.counter('orders.placed')
  const [observed, managed] = [observe(management, { route: () => '/orders/:id' }), manage(management)]
  const server = createServer((req, res) =>
    observed(req, res, () =>
      managed(req, res, () => {
        orders.increment()
        logger.info(`order of member ${slot}`)
        // The next request is one of another worker.
        res.setHeader('Connection', 'close').end(String(slot), () => {
          if (req.url === `/exit/${slot}`) setImmediate(() => process.exit())
        })
      }),
    ),
  )
  server.listen(0, '127.0.0.1')
}
