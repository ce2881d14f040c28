import { createServer } from 'node:http'
import { bearerToken, createManagement, traced } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { manage, observe } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'
import { expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../support/listen.ts'

const token = 'let-me-in'
const canary = 'canary7f3a91'

/** Secrets as the data of an application contains them: by name, in text, and below other names. */
const secrets = {
  password: canary,
  authorization: `Bearer ${canary}`,
  apiKey: [canary],
  url: `postgres://app:${canary}@db.internal/orders`,
  text: `connect failed with password=${canary}`,
  nested: { headers: { cookie: `session=${canary}`, 'x-api-key': canary }, tokens: [{ value: canary }] },
  json: JSON.stringify({ client_secret: canary }),
}

/** What the page and scripts read, below `console`. */
const resources = ['overview', 'history?resolution=second', 'requests', 'health', 'meters', 'logs', 'dependencies']

/** Starts a service that fails each request with an error that contains secrets, and logs and traces some. */
async function startService(): Promise<string> {
  process.env['ORDERS_DB_PASSWORD'] = canary
  process.env['ORDERS_DATABASE_URL'] = secrets.url
  const management = createManagement({
    application: { name: 'orders' },
    expose: ['health', 'env', 'info', 'mappings', 'httpexchanges', 'console'],
    authorize: bearerToken(token),
    health: {
      indicators: {
        db: () => ({ status: 'DOWN', description: secrets.text, details: { ...secrets, error: secrets.text } }),
      },
    },
    tracing: true,
    report: () => {},
    audit: () => {},
  })
  const collector = createServer((req, res) => req.resume().on('end', () => res.end()))
  const telemetry = await startTelemetry({
    ...{ management, url: `http://127.0.0.1:${await listenOn(collector)}`, metrics: false, logs: false },
  })
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  const observed = observe(management, { route: () => '/orders/:id' })
  const managed = manage(management)
  const server = createServer((req, res) =>
    observed(req, res, () =>
      managed(req, res, () =>
        traced(`query ${secrets.url}`, (span) => {
          span?.setAttributes({
            ...{ 'http.request.header.authorization': `Bearer ${canary}`, 'db.connection_string': secrets.url },
            ...{ 'user.password': canary, 'process.command_line': `node app --token=${canary}` },
          })
          const error = new Error(`${'long '.repeat(500)} ${secrets.text}`, { cause: new Error(secrets.url) })
          logger.error(`order failed: ${secrets.text}`, { err: error, ...secrets })
          res.writeHead(500).end()
        }),
      ),
    ),
  )
  onTestFinished(async () => {
    await telemetry.shutdown()
    management.close()
    delete process.env['ORDERS_DB_PASSWORD']
    delete process.env['ORDERS_DATABASE_URL']
    for (const each of [server, collector]) {
      each.closeAllConnections()
      each.close()
    }
  })
  return `http://127.0.0.1:${await listenOn(server)}`
}

it('has no resource that shows a secret', async () => {
  const url = await startService()
  const headers = { authorization: `Bearer ${token}` }
  const read = async (path: string) => {
    const response = await fetch(`${url}/management/${path}`, { headers })
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  }
  const query = `?token=${canary}&key=${canary}`
  await fetch(`${url}/orders/7${query}`, { headers: { cookie: `session=${canary}`, 'x-api-key': canary } })

  const texts = new Map<string, string>()
  for (const resource of resources) texts.set(resource, await read(`console/${resource}`))
  const { recent } = JSON.parse(texts.get('requests') ?? '')
  const [{ id }] = recent.filter(({ route }: { route: string }) => route === '/orders/:id')
  texts.set('request', await read(`console/requests/${id}`))
  for (const endpoint of ['env', 'info', 'mappings', 'httpexchanges']) texts.set(endpoint, await read(endpoint))

  expect([...texts].filter(([, text]) => text.includes(canary)).map(([name]) => name)).toEqual([])
  const { spans, logs } = JSON.parse(texts.get('request') ?? '')
  expect([spans.length, logs.length]).toEqual([2, 1])
  expect(logs[0].attributes).toMatchObject({ password: '***', authorization: '***', apiKey: '***' })
  expect(spans[1].attributes).toMatchObject({ 'http.request.header.authorization': '***', 'user.password': '***' })
})
