// The export over OTLP by upkeep beside that by OpenTelemetry's packages: CPU time, and how long the event loop is held.
// Usage, after `npm run build`: node bench/otlp.mjs [rounds, 5 by default] [series, 100,000 by default] [spans, 10,000]
//
// Both exporters read, encode and send the same series and spans to a receiver in another process, which discards them.
// Recording is not measured. Each measurement runs in a process of its own, in random order; it exports once, which is
// distinguished, and then nine times more, of which the median counts. The event loop is watched in other processes than
// those whose CPU time is measured. The medians of the rounds are compared.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createManagement, traced } from '../build/node_modules/upkeep/dist/index.mjs'
import { startTelemetry } from '../build/node_modules/upkeep/dist/otlp.mjs'
import { median, missed, report, shuffled } from './harness.mjs'
import { watchLoop } from './watch-loop.mjs'

const self = fileURLToPath(import.meta.url)
const exports = 10
/** An export begins with so many spans, by default. */
const batchSize = 512
const [task, ...words] = process.argv.slice(2)

if (task === 'receive') receive()
else if (task === 'metrics') console.log(JSON.stringify(await exportMetrics(...words)))
else if (task === 'traces') console.log(JSON.stringify(await exportTraces(...words)))
else await compare(Number(task ?? 5), Number(words[0] ?? 100_000), Number(words[1] ?? 10_000))

function receive() {
  const server = createServer((req, res) => req.resume().on('end', () => res.end()))
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.resume().on('end', () => process.exit())
}

async function exportMetrics(exporter, url, count, what) {
  const management = createManagement({ metrics: { runtime: false, maximumSeriesPerMeter: 1_000_000 } })
  const counters = management.meters.counters('orders.placed', ['customer', 'region', 'result'])
  for (let at = 0; at < count; at += 1) counters.with(`customer-${at}`, 'eu-central-1', 'success').increment(at)
  const times = { timeout: '50s', flushTimeout: '50s' }
  const telemetry = await startTelemetry({ management, exporter, url, tracing: false, logs: false, ...times })
  return measure(telemetry, management, 'metrics', what)
}

async function exportTraces(exporter, url, count, what) {
  const management = createManagement({ metrics: { runtime: false } })
  const tracing = { maximumQueueSize: 1_000_000, delay: '1h' }
  const others = { metrics: false, logs: false, flushTimeout: '50s' }
  const telemetry = await startTelemetry({ management, exporter, url, tracing, ...others })
  const attributes = {
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': '/orders/:id',
    'server.address': 'orders.internal',
    'url.path': '/orders/17',
    'url.scheme': 'https',
  }
  const options = { attributes }
  const record = () => void traced('GET /orders/:id', () => {}, options)
  /** Records all spans in one turn. Returns the CPU time of the one that completes the first batch, which exports it. */
  const prepare = () => {
    for (let at = 1; at < batchSize; at += 1) record()
    const milliseconds = cpuOf(record)
    for (let at = batchSize; at < count; at += 1) record()
    return milliseconds
  }
  return measure(telemetry, management, 'traces', what, prepare)
}

async function measure(telemetry, management, signal, what, prepare = () => 0) {
  const measured = []
  globalThis.gc()
  for (let at = 0; at < exports; at += 1) {
    await new Promise(setImmediate)
    const prepared = prepare()
    if (what === 'block') {
      const stop = watchLoop()
      await telemetry.flush()
      measured.push(stop())
      continue
    }
    const before = process.cpuUsage()
    await telemetry.flush()
    measured.push(prepared + millisecondsSince(before))
  }
  const exported = management.meters.counter('otlp.exported', { signal }).value
  await telemetry.shutdown()
  management.close()
  const [first, ...later] = measured
  return { exported, first, later }
}

function cpuOf(work) {
  const before = process.cpuUsage()
  work()
  return millisecondsSince(before)
}

function millisecondsSince(before) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

async function compare(rounds, series, spans) {
  if (!(rounds >= 3 && rounds <= 99)) throw new RangeError(`rounds: expected 3 to 99, received ${rounds}`)
  const receiver = spawn(process.execPath, [self, 'receive'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(receiver.stdout, 'data')
  const url = `http://127.0.0.1:${String(port).trim()}`
  console.log(`Node ${process.version}, ${series} series, ${spans} spans, medians of ${rounds} rounds`)
  try {
    for (const [signal, count] of Object.entries({ metrics: series, traces: spans })) {
      const runs = { upkeep: [], opentelemetry: [] }
      const blocks = { upkeep: [], opentelemetry: [] }
      for (let round = 0; round < rounds; round += 1) {
        for (const exporter of shuffled(Object.keys(runs))) {
          runs[exporter].push(run(signal, exporter, url, count, 'cpu'))
          blocks[exporter].push(run(signal, exporter, url, count, 'block'))
        }
      }
      reportCpu(signal, runs)
      reportBlocks(signal, blocks)
    }
  } finally {
    receiver.stdin.end()
  }
  if (missed().length > 0) process.exitCode = 1
}

function run(signal, exporter, url, count, what) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', self, signal, exporter, url, `${count}`, what],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  const result = JSON.parse(stdout)
  if (result.exported < count * exports)
    throw new Error(`${exporter} exported ${result.exported} of ${count * exports}`)
  return result
}

function reportCpu(signal, runs) {
  for (const [which, figureOf] of [
    ['first export', ({ first }) => first],
    ['later exports', ({ later }) => median(later)],
  ]) {
    const [own, official] = [runs.upkeep, runs.opentelemetry].map((all) => all.map(figureOf))
    const detail = `${median(own).toFixed(0)} ms, OpenTelemetry ${median(official).toFixed(0)} ms`
    const ratio = median(own.map((each, round) => each / official[round]))
    report(`${signal}, ${which}: CPU time of upkeep / OpenTelemetry`, ratio, { atMost: 0.3, detail })
  }
}

function reportBlocks(signal, blocks) {
  const of = (exporter, figureOf) => median(blocks[exporter].map(figureOf))
  for (const [which, figureOf] of [
    [
      'first export',
      (part) =>
        ({ first }) =>
          first[part],
    ],
    [
      'later exports',
      (part) =>
        ({ later }) =>
          median(later.map((each) => each[part])),
    ],
  ]) {
    const official = of('opentelemetry', figureOf('longest')).toFixed(0)
    const undisturbed = of('upkeep', figureOf('undisturbed')).toFixed(1)
    const idle = of('upkeep', figureOf('interrupted')).toFixed(0)
    const detail = `undisturbed by the system ${undisturbed} ms (${idle} turns were not); OpenTelemetry ${official} ms`
    report(`${signal}, ${which}: longest block, ms`, of('upkeep', figureOf('longest')), { atMost: 2, detail })
  }
}
