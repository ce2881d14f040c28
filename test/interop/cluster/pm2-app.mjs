// An application under PM2. Each response is counted when it has been handed to the system.
import { createServer } from 'node:http'

const { UPKEEP_DIST, PORT, DIRECTORY } = process.env
const { createManagement } = await import(`${UPKEEP_DIST}/index.js`)
const { joinCluster } = await import(`${UPKEEP_DIST}/cluster.js`)
const { manage, shutdownGracefully } = await import(`${UPKEEP_DIST}/node.js`)

const management = createManagement({ expose: ['health', 'prometheus'] })
joinCluster(management, { directory: DIRECTORY })
const managed = manage(management)
const answered = management.meters.counter('answered', {})

const server = createServer((request, response) =>
  managed(request, response, () => {
    const body = `${process.pid} `.padEnd(2_000, '.')
    response.on('finish', () => answered.increment())
    response.setHeader('Content-Length', body.length).end(body)
  }),
)
shutdownGracefully(server, management, { delay: '0s' })
server.listen(Number(PORT), '127.0.0.1')
