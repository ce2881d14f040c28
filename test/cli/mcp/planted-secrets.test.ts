import { createServer } from 'node:http'
import { bearerToken, traced } from 'upkeep'
import { type AuditEvent, createLogger } from 'upkeep/logging'
import { manage, observe } from 'upkeep/node'
import { expect, it, onTestFinished } from 'vitest'
import { createEveryEndpoint } from '../../support/every-endpoint.ts'
import { listenOn } from '../../support/listen.ts'
import { connectMcp, dataOf } from './connect-mcp.ts'

const canary = 'canary7f3a91'
const token = `token-${canary}`

/** Secrets as the data of an application contains them: by name, in text, and below other names. */
const secrets = {
  password: canary,
  authorization: `Bearer ${canary}`,
  apiKey: [canary],
  url: `postgres://app:${canary}@db.internal/orders`,
  text: `connect failed with password=${canary}`,
  nested: { headers: { cookie: `session=${canary}`, 'x-api-key': canary }, tokens: [{ value: canary }] },
}

/** Starts a service that fails each request with an error that contains secrets, and logs and traces some. */
async function startService() {
  process.env['ORDERS_DB_PASSWORD'] = canary
  process.env['ORDERS_DATABASE_URL'] = secrets.url
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  const audited: AuditEvent[] = []
  const { management, close } = createEveryEndpoint({
    authorize: bearerToken(token),
    env: { showValues: 'when-authorized' },
    health: { indicators: { db: () => ({ status: 'DOWN', details: { ...secrets, error: secrets.text } }) } },
    loggers: logger.loggers,
    tracing: true,
    audit: (event: AuditEvent) => void audited.push(event),
  })
  const observed = observe(management, { route: () => '/orders/:id' })
  const managed = manage(management)
  const server = createServer((req, res) =>
    observed(req, res, () =>
      managed(req, res, () =>
        traced(`query ${secrets.url}`, (span) => {
          span?.setAttributes({ 'user.password': canary, 'process.command_line': `node app --token=${canary}` })
          logger.error(`order failed: ${secrets.text}`, { err: new Error(secrets.text), ...secrets })
          res.writeHead(500).end()
        }),
      ),
    ),
  )
  onTestFinished(() => {
    delete process.env['ORDERS_DB_PASSWORD']
    delete process.env['ORDERS_DATABASE_URL']
    close()
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${await listenOn(server)}`
  const headers = { cookie: `session=${canary}`, 'x-api-key': canary, authorization: `Bearer ${canary}` }
  await (await fetch(`${origin}/orders/7?token=${canary}&key=${canary}`, { headers })).text()
  return { url: `${origin}/management`, audited }
}

it('has no tool whose answer about a service of this package contains a secret', async () => {
  const { url, audited } = await startService()
  const { client, call, errors } = await connectMcp([`orders=${url}`, '--allow-changes'], { UPKEEP_TOKEN: token })
  const [, id] = /^(\d+) .* 500 /m.exec(dataOf((await call('slow_requests')).text)) ?? []
  const arguments_: Readonly<Record<string, Record<string, unknown>>> = {
    trace: { id },
    profile: { seconds: 1 },
    heap_growth: { seconds: 2 },
    metrics_query: { name: 'http.server.requests' },
    set_log_level: { logger: 'ROOT', level: 'DEBUG', minutes: 5 },
    evict_cache: { cache: 'cities' },
  }
  const answers = new Map<string, string>()
  for (const { name } of (await client.listTools()).tools) answers.set(name, (await call(name, arguments_[name])).text)

  expect(answers.size).toBe(17)
  expect(answers.get('logs')).toContain('order failed: connect failed with password=***')
  expect(answers.get('trace')).toContain('GET /orders/:id: 500')
  expect(answers.get('why')).toContain('db is DOWN')
  expect([...answers].filter(([, text]) => text.includes(canary)).map(([name]) => name)).toEqual([])
  expect(errors()).not.toContain(canary)
  expect(JSON.stringify(audited)).not.toContain(canary)
})
