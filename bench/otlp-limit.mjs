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

/** A span as a tracer keeps it: ids as hexadecimal text, times in nanoseconds. */
function newSpan() {
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'GET /orders/:id',
    startedAt: BigInt(Date.now()) * 1_000_000n,
    endedAt: BigInt(Date.now() + 1) * 1_000_000n,
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

const bytes = Buffer.allocUnsafe(8 * 2 ** 20)
/** How many bytes the length of a message takes, which is known after it has been written. */
const lengthBytes = 4
let at = 0

/** Returns an ExportTraceServiceRequest: resource spans (1) with scope spans (2) with spans (2). */
function encodeSpans(spans) {
  at = 0
  const [resource, scope] = [begin(0x0a), begin(0x12)]
  for (const span of spans) {
    const start = begin(0x12)
    writeId(0x0a, span.traceId)
    writeId(0x12, span.spanId)
    writeText(0x2a, span.name)
    bytes[at++] = 0x30
    bytes[at++] = 3
    at = bytes.writeBigUInt64LE(span.startedAt, tagged(0x39))
    at = bytes.writeBigUInt64LE(span.endedAt, tagged(0x41))
    for (const key in span.attributes) writeAttribute(0x4a, key, span.attributes[key])
    end(start)
  }
  end(scope)
  end(resource)
  return Buffer.from(bytes.subarray(0, at))
}

function writeAttribute(tag, key, value) {
  const attribute = begin(tag)
  writeText(0x0a, key)
  const content = begin(0x12)
  if (typeof value === 'string') writeText(0x0a, value)
  else writeVarint(0x18, value)
  end(content)
  end(attribute)
}

function tagged(tag) {
  bytes[at++] = tag
  return at
}

function writeId(tag, text) {
  bytes[at++] = tag
  bytes[at++] = text.length / 2
  at += bytes.hexWrite(text, at)
}

/** Writes the tag of a message, and reserves the bytes of its length. */
function begin(tag) {
  bytes[at++] = tag
  at += lengthBytes
  return at
}

/** Writes the length of the message that began at a position, with leading bits that mean 0. */
function end(start) {
  const length = at - start
  for (let byte = 0; byte < lengthBytes; byte += 1) {
    bytes[start - lengthBytes + byte] = ((length >>> (7 * byte)) & 0x7f) | (byte < lengthBytes - 1 ? 0x80 : 0)
  }
}

function writeText(tag, text) {
  bytes[at++] = tag
  // Short texts in ASCII, of which the length takes one byte.
  bytes[at] = bytes.latin1Write(text, at + 1)
  at += bytes[at] + 1
}

function writeVarint(tag, value) {
  bytes[at++] = tag
  for (let rest = value; ; rest >>>= 7) {
    bytes[at++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest
    if (rest <= 0x7f) return
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

const startedAt = BigInt(Date.now()) * 1_000_000n
const counters = []
/** By the index of a request: its data points, and where the value of each is. */
const encodedPoints = []

/** Returns an ExportMetricsServiceRequest: resource metrics (1), scope metrics (2), a metric (2), a sum (7). */
function encodeCounters(index) {
  const some = counters.slice(index * 4_000, (index + 1) * 4_000)
  encodedPoints[index] ??= encodePoints(some)
  const points = encodedPoints[index]
  at = 0
  const open = [begin(0x0a), begin(0x12), begin(0x12)]
  writeText(0x0a, 'orders.placed')
  open.push(begin(0x3a))
  const start = at
  at += points.bytes.copy(bytes, at)
  const now = BigInt(Date.now()) * 1_000_000n
  for (let row = 0; row < some.length; row += 1) {
    const value = start + points.values[row]
    bytes.writeBigUInt64LE(now, value - 9)
    bytes.writeDoubleLE(some[row].value, value)
  }
  bytes[at++] = 0x10
  bytes[at++] = 2
  for (const message of open.reverse()) end(message)
  return Buffer.from(bytes.subarray(0, at))
}

function encodePoints(some) {
  at = 0
  const values = new Uint32Array(some.length)
  for (let row = 0; row < some.length; row += 1) {
    const point = begin(0x0a)
    const { tags } = some[row]
    for (const key in tags) writeAttribute(0x3a, key, tags[key])
    at = bytes.writeBigUInt64LE(startedAt, tagged(0x11))
    at = tagged(0x19) + 8
    values[row] = tagged(0x21)
    at += 8
    end(point)
  }
  return { bytes: Buffer.from(bytes.subarray(0, at)), values }
}

function exportCounters() {
  for (let row = counters.length; row < 100_000; row += 1) {
    counters.push({ value: row, tags: { customer: `customer-${row}`, region: 'eu-central-1', result: 'success' } })
  }
  return async () => {
    for (let index = 0; index < 25; index += 1) await send('/v1/metrics', encodeCounters(index))
  }
}

if (task === 'spans') console.log(JSON.stringify(await measure(newSpans)))
else if (task === 'counters') console.log(JSON.stringify(await measure(exportCounters)))
else await compare(Number(task ?? 5))
