// A service of node:cluster for cluster.mjs: `node cluster-service.mjs ours|theirs workers series`. The workers count
// the requests that they have answered; the primary is scraped on a port of its own. The message `kill` kills the
// worker that has run longest by SIGKILL, and another one is forked.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { load } from './harness.mjs'

const [whose, workers, series] = process.argv.slice(2)
const tagsOf = (index) => ({
  method: ['GET', 'PUT', 'POST', 'DELETE'][index & 3],
  uri: `/api/v1/resource/${index >> 2}`,
})
const parts = whose === 'ours' ? await createOurs() : await createTheirs()
await (cluster.isPrimary ? startPrimary() : startWorker())

async function createOurs() {
  const { createManagement } = await load('upkeep')
  const { joinCluster } = await load('upkeep/cluster')
  const { listen } = await load('upkeep/node')
  const management = createManagement({
    application: { name: 'bench' },
    expose: ['prometheus'],
    authorize: () => ({ name: 'bench' }),
    metrics: { runtime: false, maximumSeriesPerMeter: Number.POSITIVE_INFINITY },
    tracing: false,
  })
  joinCluster(management, {
    directory: process.env.GROUP_DIRECTORY,
    maximumSeriesPerMeter: 1_000_000,
  })
  const { meters } = management
  return {
    fill() {
      for (let index = 0; index < series; index++) meters.counter('orders', tagsOf(index)).increment(index)
    },
    counter: () => meters.counter('answered'),
    serve: async () => (await listen(management, { port: 0, host: '127.0.0.1' })).address.port,
  }
}

async function createTheirs() {
  const { default: client } = await import('@prometheus-io/client')
  const registry = new client.AggregatorRegistry()
  return {
    fill() {
      const orders = new client.Counter({ name: 'orders_total', help: 'Orders', labelNames: ['method', 'uri'] })
      for (let index = 0; index < series; index++) orders.inc(tagsOf(index), index)
    },
    counter() {
      const counter = new client.Counter({ name: 'answered_total', help: 'Requests' })
      return { increment: () => counter.inc() }
    },
    serve: () =>
      listening(async (_, response) => {
        try {
          response.end(await registry.clusterMetrics())
        } catch (error) {
          response.writeHead(500).end(error.message)
        }
      }),
  }
}

async function startPrimary() {
  const ports = await Promise.all(Array.from({ length: Number(workers) }, forked))
  cluster.on('exit', () => cluster.fork())
  process.on('message', (message) => {
    if (message === 'stop') return stop()
    const oldest = Object.values(cluster.workers).sort((one, other) => one.id - other.id)[0]
    const { pid } = oldest.process
    process.kill(pid, 'SIGKILL')
    process.send({ pid })
  })
  process.on('disconnect', stop)
  process.send({ scrapePort: await parts.serve(), port: ports[0] })
}

function stop() {
  cluster.removeAllListeners('exit')
  for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGKILL')
  process.exit()
}

async function forked() {
  const [{ port }] = await once(cluster.fork(), 'listening')
  return port
}

async function startWorker() {
  parts.fill()
  const counter = parts.counter()
  // Counted when the response was handed to the system: what is counted then is what clients receive.
  await listening((_, response) => response.end(`${process.pid}`, () => counter.increment()))
}

async function listening(listener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}
