import { createServer } from 'node:http'
import { bearerToken } from 'upkeep'
import { type AuditEvent, createLogger } from 'upkeep/logging'
import { manage, observe } from 'upkeep/node'
import { onTestFinished } from 'vitest'
import { createEveryEndpoint } from '../../support/every-endpoint.ts'
import { listenOn } from '../../support/listen.ts'

export const token = 'let-me-in'

/** Starts a service with every endpoint, which has had a request, a failed one, and log records. */
export async function startOrders() {
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  const audited: AuditEvent[] = []
  const every = createEveryEndpoint({
    authorize: bearerToken(token),
    loggers: logger.loggers,
    audit: (event: AuditEvent) => void audited.push(event),
  })
  const { management } = every
  const observed = observe(management, { route: () => '/orders/:id' })
  const managed = manage(management)
  const server = createServer((req, res) =>
    observed(req, res, () =>
      managed(req, res, () => {
        const fails = req.url === '/orders/7'
        if (fails) logger.error('order failed', { err: new RangeError('order 7 has no currency') })
        else logger.info('order shown', { order: req.url })
        res.writeHead(fails ? 500 : 200).end()
      }),
    ),
  )
  onTestFinished(() => {
    every.close()
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${await listenOn(server)}`
  for (const id of [1, 2, 7]) await (await fetch(`${origin}/orders/${id}`)).text()
  return { url: `${origin}/management`, origin, audited, logger }
}
