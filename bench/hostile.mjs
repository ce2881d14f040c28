// What an anonymous client can cost a service, for the table in SECURITY.md: `node --expose-gc bench/hostile.mjs`.
//
// The service is a bare node:http server with `observe`, `manage` and `handleErrors`, traced, with all endpoints
// exposed; the client is another process. CPU is that of the service's process for each request, the median of several
// rounds.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { load, median } from './harness.mjs'

const requests = 60
const rounds = 3
const length = 15_000

if (process.argv[2] === 'client') await beClient()
else await beService()

async function beService() {
  const { createManagement, traceHeaders } = await load('src/entries/index.ts')
  const { handleErrors, manage, observe } = await load('adapters/node.ts')
  let reports = 0
  const management = createManagement({
    application: { name: 'hostile' },
    expose: ['health', 'info', 'metrics', 'prometheus'],
    tracing: true,
    report: () => {
      reports += 1
    },
  })
  const [observed, managed] = [observe(management), manage(management)]
  const application = handleErrors((_, res) => {
    traceHeaders()
    res.statusCode = 404
    res.end()
  })
  const server = createServer((req, res) => observed(req, res, () => managed(req, res, () => application(req, res))))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = fork(import.meta.filename, ['client', String(server.address().port)])
  const run = async (order) => {
    client.send(order)
    await once(client, 'message')
  }
  await once(client, 'message')

  const fill = (piece) => piece.repeat(Math.floor(length / piece.length))
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const cases = [
    ['an ordinary request', '/unknown', { traceparent }],
    ['15 KB of a field that nobody reads', '/unknown', { traceparent, 'x-ignored': fill('-') }],
    ['15 KB of `tracestate`, blank', '/unknown', { traceparent, tracestate: `a=1,${fill(' ')}!` }],
    ['15 KB of `tracestate`, empty members', '/unknown', { traceparent, tracestate: fill(',') }],
    ['15 KB of `Accept`, ranges', '/management/health', { accept: fill('a/b,') }],
    ['15 KB of `Accept`, parameters', '/management/prometheus', { accept: `text/plain${fill(';a=b')}` }],
    ['15 KB of `If-None-Match`', '/management/info', { 'if-none-match': fill('"a",') }],
    ['15 KB of `fields`', `/management/health?fields=${fill('a,')}`, {}],
    ['15 KB of percent signs', `/management/${fill('%25')}`, {}],
    ['a scrape', '/management/prometheus', {}],
  ]
  console.log('| request | CPU of the service, ms |\n|---|---|')
  for (const [name, path, headers] of cases) {
    const costs = []
    await run({ path, headers, requests: 20 })
    for (let round = 0; round < rounds; round++) {
      const before = process.cpuUsage()
      await run({ path, headers, requests })
      const { user, system } = process.cpuUsage(before)
      costs.push((user + system) / 1_000 / requests)
    }
    console.log(`| ${name} | ${median(costs).toFixed(2)} |`)
  }

  const series = async () => {
    const page = await fetch(`http://127.0.0.1:${server.address().port}/management/prometheus`)
    return (await page.text()).match(/^http_server_requests_seconds_count\{/gm)?.length ?? 0
  }
  const before = await series()
  await run({ path: '/unknown', headers: {}, requests: 1_000, random: true })
  const after = await series()
  console.log(
    `\nseries of http.server.requests: ${before}, and ${after} after 1000 requests of other paths and methods`,
  )
  console.log(`reports after all of these requests: ${reports}`)

  for (const [name, text] of [
    ['idle', ''],
    ['with half a header of 15 KB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${fill('-')}`],
    ['with an ordinary request answered', 'GET /unknown HTTP/1.1\r\nHost: a\r\n\r\n'],
  ]) {
    const before = await settledMemory()
    await run({ connections: 1_000, text })
    await sleep(300)
    const after = await settledMemory()
    const [heap, resident] = ['heap', 'resident'].map((kind) => ((after[kind] - before[kind]) / 1_024_000).toFixed(1))
    console.log(`memory of a connection ${name}: ${heap} KB of the heap, ${resident} KB resident`)
    await run({ connections: 0, text })
    await sleep(300)
  }
  client.kill()
  server.closeAllConnections()
  server.close()
  management.close?.()
}

async function settledMemory() {
  for (let count = 0; count < 4; count++) {
    globalThis.gc?.()
    await sleep(50)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, resident: rss }
}

async function beClient() {
  const port = Number(process.argv[3])
  let sockets = []
  const ask = (path, headers, method = 'GET') =>
    new Promise((resolve, reject) => {
      send({ port, host: '127.0.0.1', path, method, headers }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end()
    })
  process.on('message', async ({ path, headers, requests, random, connections, text }) => {
    if (connections !== undefined) {
      for (const socket of sockets) socket.destroy()
      sockets = []
      for (let count = 0; count < connections; count++) {
        const socket = connect(port, '127.0.0.1')
        await once(socket, 'connect')
        socket.on('error', () => {}).resume()
        if (text !== '') socket.write(text)
        sockets.push(socket)
      }
    } else {
      const methods = ['GET', 'POST', 'PUT', 'PROPFIND', 'MKCOL', 'REPORT', 'SEARCH', 'LINK']
      for (let count = 0; count < requests; count++) {
        await ask(random ? `/${Math.random()}` : path, headers, random ? methods[count % methods.length] : 'GET')
      }
    }
    process.send('done')
  })
  process.send('ready')
}
