// A service whose requests fail at /fail, are slow at /slow, and succeed elsewhere.
import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { manage, observe, shutdownGracefully } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'

const management = createManagement({
  application: { name: 'shop', version: '2.0.0' },
  expose: ['prometheus'],
  tracing: true,
})
const telemetry = await startTelemetry({ management })
const orders = management.meters.counter('shop.orders', {})
const checkout = management.meters.timer('shop.checkout', {}, { exponential: true })
const observed = observe(management, { route: ({ url = '' }) => url.split('?')[0] })
const managed = manage(management)

const server = createServer((request, response) =>
  managed(request, response, () =>
    observed(request, response, () => {
      orders.increment()
      checkout.record(0.2)
      response.statusCode = request.url === '/fail' ? 500 : 200
      setTimeout(() => response.end('ok'), request.url === '/slow' ? 400 : 0)
    }),
  ),
)
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
shutdownGracefully(server, management, { delay: '0s', flush: [telemetry] })
process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGTERM'))
