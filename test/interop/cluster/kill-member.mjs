// A process of a group: its main thread and one more serve requests, each on a port of its own, and count each response
// when it has been handed to the system.
import { createServer } from 'node:http'
import { parentPort, Worker } from 'node:worker_threads'

const { UPKEEP_DIST, GROUP, DIRECTORY } = process.env
const { createManagement } = await import(`${UPKEEP_DIST}/index.js`)
const { joinCluster } = await import(`${UPKEEP_DIST}/cluster.js`)
const { manage } = await import(`${UPKEEP_DIST}/node.js`)

const management = createManagement({ expose: ['prometheus'], application: { name: 'kill' } })
joinCluster(management, { group: GROUP, directory: DIRECTORY })
const managed = manage(management)
const answered = management.meters.counter('answered', {})
const answeredHere = management.meters.counter('answered.by.process', { process: String(process.pid) })
const work = management.meters.timer('work', {}, { slo: [0.001, 0.005, 0.01] })
let count = 0

const server = createServer((request, response) =>
  managed(request, response, () => {
    count += 1
    const seconds = (count % 20) / 1_000
    response.on('finish', () => {
      answered.increment()
      answeredHere.increment()
      work.record(seconds)
    })
    response.end('ok')
  }),
)
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  if (parentPort !== null) return parentPort.postMessage(port)
  new Worker(new URL(import.meta.url)).once('message', (other) => console.log(`ports ${process.pid} ${port} ${other}`))
})
