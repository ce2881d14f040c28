import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import pg from 'pg'
import { bearerToken, createManagement } from 'upkeep'
import { discoverClients } from 'upkeep/health'
import { instrument, tracedPool } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { manage, observe } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'
import { expect, it, onTestFinished } from 'vitest'
import { describeProgram } from '../support/describe-program.ts'
import { describeRunningServers, running } from '../support/describe-running-servers.ts'
import { listenOn } from '../support/listen.ts'
import { usePostgresDatabase } from '../support/use-database.ts'
import { card, useConsoleBrowser } from './console-browser.ts'

const token = 'let-me-in'
const requests = 200

await describeRunningServers([running.postgres, running.redis], () => {
  describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
    const database = usePostgresDatabase()
    const { open, signIn, visit } = useConsoleBrowser(executablePath)

    /** Starts a service whose requests use PostgreSQL, Redis, and another service; sends some to it. */
    async function startService(): Promise<string> {
      const discovery = discoverClients()
      const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
      const management = createManagement({
        application: { name: 'orders', version: '1.4.2' },
        expose: ['health', 'metrics', 'env', 'console'],
        authorize: bearerToken(token),
        health: { discover: discovery },
        tracing: true,
        report: () => {},
        audit: () => {},
      })
      const stop = instrument(management)
      const sink = createServer((req, res) => req.resume().on('end', () => res.end()))
      const payments = createServer((_, res) => res.end('{"paid":true}'))
      const telemetry = await startTelemetry({
        ...{ management, url: `http://127.0.0.1:${await listenOn(sink)}`, metrics: false, logs: false },
      })
      const paymentsUrl = `http://127.0.0.1:${await listenOn(payments)}/payments`
      const pool = tracedPool(new pg.Pool(database))
      const redis = new Redis({ host: '127.0.0.1', port: 6379 })

      async function respond(id: number): Promise<string> {
        const { rows } = await pool.query('SELECT $1::int AS id', [id])
        await redis.get(`order-${id}`)
        await (await fetch(paymentsUrl)).text()
        logger.info('order shown', { order: id })
        if (id % 20 === 7) throw new RangeError(`order ${id} has no currency`)
        return JSON.stringify(rows[0])
      }
      const observed = observe(management, {
        route: ({ url }) => (url?.startsWith('/orders/') ? '/orders/:id' : undefined),
      })
      const managed = manage(management)
      const server = createServer((req, res) =>
        observed(req, res, () =>
          managed(req, res, () => {
            respond(Number(req.url?.slice('/orders/'.length))).then(
              (body) => res.end(body),
              (error) => {
                logger.error('order failed', { err: error })
                res.writeHead(500).end()
              },
            )
          }),
        ),
      )
      const url = `http://127.0.0.1:${await listenOn(server)}`
      onTestFinished(async () => {
        stop()
        await telemetry.shutdown()
        management.close()
        discovery.close()
        redis.disconnect()
        await pool.end()
        for (const each of [server, sink, payments]) {
          each.closeAllConnections()
          each.close()
        }
      })
      for (let id = 0; id < requests; id++) await (await fetch(`${url}/orders/${id}`)).text()
      return url
    }

    it('shows what a service under load does with PostgreSQL, Redis and another service', async () => {
      const url = await startService()
      const { page, complaints } = await open(`${url}/management`)
      await signIn(page, token)
      await visit(page, () => {})

      await page.evaluate(`location.hash = '#/health'`)
      for (const component of ['db', 'redis', 'diskSpace']) await page.getByText(component).first().waitFor()
      await page.getByText('Details of db').click()
      await page
        .getByText(/PostgreSQL \d/)
        .first()
        .waitFor()

      await page.evaluate(`location.hash = '#/requests'`)
      await page
        .getByRole('link', { name: /orders/ })
        .first()
        .waitFor()
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${url}/management/console/requests`, { headers })
      const { recent } = (await response.json()) as { recent: { id: string; status: number; route: string }[] }
      const failed = recent.find(({ status }) => status === 500)
      await page.evaluate(`location.hash = '#/requests?id=${failed?.id}'`)
      for (const shown of ['SELECT', 'GET', 'order shown', 'order failed', 'has no currency']) {
        await page.getByText(shown).first().waitFor()
      }

      await page.evaluate(`location.hash = '#/dependencies'`)
      await card(page, 'Scheduled tasks').waitFor()
      for (const shown of ['postgresql', 'redis', '127.0.0.1']) await page.getByText(shown).first().waitFor()
      expect(complaints).toEqual([])
    })
  })
})
