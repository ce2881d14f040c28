import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'amqplib'
import express from 'express'
import { Redis } from 'ioredis'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { createManagement, traced } from 'upkeep'
import { observe as observeExpress } from 'upkeep/express'
import { instrument, tracedChannel, tracedPool } from 'upkeep/instrumentation'
import { observe } from 'upkeep/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deferred } from '../support/deferred.ts'
import { describeRunningServers, running } from '../support/describe-running-servers.ts'
import { listenOn } from '../support/listen.ts'
import { recordSpans } from '../support/record-spans.ts'
import { uniqueName } from '../support/unique-name.ts'
import { useMariadbDatabase, usePostgresDatabase } from '../support/use-database.ts'

const queue = uniqueName('upkeep-test-tree')
const key = uniqueName('upkeep-test-tree')
const { postgres, mariadb, redis, rabbitmq } = running

await describeRunningServers([postgres, mariadb, redis, rabbitmq], () => {
  const spans = recordSpans()
  const management = createManagement({ metrics: { runtime: false } })
  const mysql = createPool(useMariadbDatabase())
  const pool = tracedPool(new pg.Pool(usePostgresDatabase()))
  const cache = new Redis({ host: '127.0.0.1', lazyConnect: true })
  const consumed = deferred()
  let amqp: Awaited<ReturnType<typeof connect>>
  let shop: Server
  let stock: Server
  let address = ''

  beforeAll(async () => {
    await Promise.all([mysql.query('select 1'), pool.query('select 1'), cache.ping()])
    instrument(management, { undici: { uri: ({ path }) => path.replace(/\d+/, '{id}') } })
    amqp = await connect('amqp://127.0.0.1')
    const channel = tracedChannel(await amqp.createChannel())
    await channel.assertQueue(queue, { durable: false, exclusive: true })
    // biome-ignore lint/nursery/noMisusedPromises: amqplib does not wait for it, and the span does.
    await channel.consume(queue, async (message) => {
      await pool.query('select 1 as shipped')
      if (message) channel.ack(message)
      consumed.resolve()
    })

    stock = createServer((request: IncomingMessage, response: ServerResponse) => {
      observe(management, { route: () => '/stock/:id' })(request, response, () => {
        channel.sendToQueue(queue, Buffer.from('reserved'))
        response.end('reserved')
      })
    })
    const stockPort = await listenOn(stock)

    const app = express()
    app.use(observeExpress(management))
    app.post('/orders/:id', async (request, response) => {
      await traced('place order', async () => {
        await mysql.execute('select ? as price', [request.params.id])
        await cache.set(key, 'zqzq', 'EX', 60)
        await (await fetch(`http://127.0.0.1:${stockPort}/stock/${request.params.id}?secret=zqzq`)).text()
      })
      response.end('placed')
    })
    shop = app.listen(0, '127.0.0.1')
    await once(shop, 'listening')
    address = `http://127.0.0.1:${(shop.address() as { port: number }).port}`
  })

  afterAll(async () => {
    management.close()
    shop.close()
    stock.close()
    await amqp.close()
    await cache.del(key)
    cache.disconnect()
    await Promise.all([mysql.end(), pool.end()])
  })

  it('one request is one trace, through handlers, databases, another service and a queue', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const answer = await spans.suppressed(() =>
      fetch(`${address}/orders/7`, {
        method: 'POST',
        headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'mine=1' },
      }),
    )
    expect(await answer.text()).toBe('placed')
    await consumed.promise
    await expect.poll(() => spans.all().length).toBe(9)

    expect(spans.treeBelow('b7ad6b7169203331')).toEqual([
      'server POST /orders/:id',
      '  internal place order',
      '    client SELECT',
      '    client SET',
      '    client GET /stock/{id}',
      '      server GET /stock/:id',
      `        producer publish ${queue}`,
      `          consumer process ${queue}`,
      '            client SELECT',
    ])
    expect(new Set(spans.all().map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]))
    expect(spans.all().map((span) => span.spanContext().traceState?.serialize())).toEqual(Array(9).fill('mine=1'))
    expect(JSON.stringify(spans.all().map((span) => [span.name, span.attributes]))).not.toContain('zqzq')
    expect([...new Set(spans.all().flatMap((span) => Object.keys(span.attributes)))].toSorted()).toEqual([
      'db.namespace',
      'db.operation.name',
      'db.query.summary',
      'db.query.text',
      'db.system.name',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'messaging.destination.name',
      'messaging.operation.name',
      'messaging.operation.type',
      'messaging.rabbitmq.destination.routing_key',
      'messaging.system',
      'server.address',
      'server.port',
      'url.full',
      'url.path',
      'url.scheme',
      'url.template',
      'user_agent.original',
    ])
  })
})
