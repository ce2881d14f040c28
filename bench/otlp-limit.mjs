// Exports over OTLP by a program without upkeep that does nothing else. It encodes 10,000 spans of one shape, with six
// attributes, or 100,000 counters with three, as protobuf, and sends them with node:http, in requests of 2,048 spans or
// 4,000 counters. It encodes what does not change of a counter only once.
// Usage: node bench/otlp-limit.mjs [rounds, 5 by default]. Prints CPU time in milliseconds: of the first export of a
// process, and the median of nine further ones.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { encodeCounters, encodePoints, encodeSpans } from './encode-by-hand.mjs'
import { median } from './harness.mjs'

const [task, url] = process.argv.slice(2)

async function compare(rounds) {
  const server = createServer((req, res) => req.resume().on('end', () => res.end())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${server.address().port}`
  for (const signal of ['spans', 'counters']) {
    const runs = []
    for (let round = 0; round < rounds; round += 1) runs.push(await runOnce(signal, address))
    const [firsts, laters] = [median(runs.map(({ first }) => first)), median(runs.map(({ later }) => later))]
    const times = `first export ${firsts.toFixed(0)} ms, later exports ${laters.toFixed(1)} ms`
    console.log(`Node ${process.version}, ${signal}: ${times}`)
  }
  server.close()
  server.closeAllConnections()
}

async function runOnce(signal, address) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), signal, address])
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  await once(child, 'close')
  return JSON.parse(text)
}

/** Prepares an export and measures it, ten times. */
async function measure(prepare) {
  const times = []
  for (let at = 0; at < 10; at += 1) {
    const send = prepare()
    await new Promise(setImmediate)
    const before = process.cpuUsage()
    await send()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
  }
  const [first, ...later] = times
  return { first, later: median(later) }
}

function newSpans() {
  const spans = Array.from({ length: 10_000 }, newSpan)
  return async () => {
    for (let from = 0; from < spans.length; from += 2_048) {
      await send('/v1/traces', encodeSpans(spans.slice(from, from + 2_048)))
    }
  }
}

/** A span as a tracer keeps it: ids as hexadecimal text, times in milliseconds. */
function newSpan() {
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'GET /orders/:id',
    startedAt: Date.now(),
    endedAt: Date.now() + 1,
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/orders/:id',
      'server.address': 'orders.internal',
      'url.path': '/orders/17',
      'url.scheme': 'https',
    },
  }
}

const agent = new Agent({ keepAlive: true })

async function send(path, body) {
  const headers = { 'content-type': 'application/x-protobuf', 'content-length': body.length }
  const sent = request(`${url}${path}`, { method: 'POST', agent, headers }).end(body)
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
}

const countersOfRequest = 4_000
const counters = []
/** By the index of a request: its data points, and where the value of each is. */
const encodedPoints = []

function exportCounters() {
  for (let row = counters.length; row < 100_000; row += 1) {
    counters.push({ value: row, tags: { customer: `customer-${row}`, region: 'eu-central-1', result: 'success' } })
  }
  return async () => {
    for (let index = 0; index < 25; index += 1) {
      const some = counters.slice(index * countersOfRequest, (index + 1) * countersOfRequest)
      encodedPoints[index] ??= encodePoints(some)
      await send('/v1/metrics', encodeCounters(some, encodedPoints[index]))
    }
  }
}

if (task === 'spans') console.log(JSON.stringify(await measure(newSpans)))
else if (task === 'counters') console.log(JSON.stringify(await measure(exportCounters)))
else await compare(Number(task ?? 5))
