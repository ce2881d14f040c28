// The export over OTLP by upkeep beside that by OpenTelemetry's packages: CPU time, and how long the event loop is held.
// Usage, after `npm run build`: node bench/otlp.mjs [rounds, 5 by default] [series, 100,000 by default] [spans, 10,000]
//
// Each measurement runs in a process of its own, in random order; a receiver in another process discards everything. The
// medians of the rounds are compared.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createManagement, traced } from '../build/node_modules/upkeep/dist/index.js'
import { startTelemetry } from '../build/node_modules/upkeep/dist/otlp.js'
import { median, shuffled } from './harness.mjs'

const self = fileURLToPath(import.meta.url)
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

async function exportMetrics(exporter, url, count) {
  const management = createManagement({ metrics: { runtime: false, maximumSeriesPerMeter: 1_000_000 } })
  const counters = management.meters.counters('orders.placed', ['customer', 'region', 'result'])
  for (let at = 0; at < count; at += 1) counters.with(`customer-${at}`, 'eu-central-1', 'success').increment(at)
  const times = { timeout: '50s', flushTimeout: '50s' }
  const telemetry = await startTelemetry({ management, exporter, url, tracing: false, logs: false, ...times })
  return measure(telemetry, management, 'metrics')
}

async function exportTraces(exporter, url, count) {
  const management = createManagement({ metrics: { runtime: false } })
  const tracing = { maximumQueueSize: 1_000_000, delay: '1h', maximumBatchSize: 512 }
  const telemetry = await startTelemetry({
    management,
    exporter,
    url,
    metrics: false,
    logs: false,
    tracing,
    flushTimeout: '50s',
  })
  const attributes = {
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': '/orders/:id',
    'server.address': 'orders.internal',
    'url.path': '/orders/17',
    'url.scheme': 'https',
  }
  const spans = async () => {
    for (let at = 0; at < count; at += 1) {
      traced('GET /orders/:id', () => {}, { attributes })
      // The batches of one turn are exported before those of the next one begin.
      if (at % 512 === 0) await new Promise((resolve) => void setImmediate(resolve))
    }
  }
  return measure(telemetry, management, 'traces', spans)
}

async function measure(telemetry, management, signal, work = async () => {}) {
  globalThis.gc()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const before = process.cpuUsage()
  await work()
  await telemetry.flush()
  const { user, system } = process.cpuUsage(before)
  delays.disable()
  const exported = management.meters.counter('otlp.exported', { signal }).value
  await telemetry.shutdown()
  management.close()
  return { exported, cpu: (user + system) / 1_000, block: Math.max(0, delays.max / 1e6 - 1) }
}

async function compare(rounds, series, spans) {
  if (!(rounds >= 3 && rounds <= 99)) throw new RangeError(`rounds: expected 3 to 99, received ${rounds}`)
  const receiver = spawn(process.execPath, [self, 'receive'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(receiver.stdout, 'data')
  const url = `http://127.0.0.1:${String(port).trim()}`
  const results = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const [signal, count] of [
      ['metrics', series],
      ['traces', spans],
    ]) {
      for (const exporter of shuffled(['upkeep', 'opentelemetry'])) {
        const { status, stdout, stderr } = spawnSync(
          process.execPath,
          ['--expose-gc', self, signal, exporter, url, `${count}`],
          { encoding: 'utf8' },
        )
        if (status !== 0) throw new Error(stderr)
        const result = JSON.parse(stdout)
        if (result.exported < count) throw new Error(`${exporter} exported ${result.exported} of ${count}`)
        results[`${signal} ${exporter}`] ??= []
        results[`${signal} ${exporter}`].push(result)
      }
    }
  }
  receiver.stdin.end()
  const row = (name) => {
    const all = results[name]
    return { 'CPU ms': median(all.map(({ cpu }) => cpu)), 'longest block ms': median(all.map(({ block }) => block)) }
  }
  console.log(`Node ${process.version}, ${series} series, ${spans} spans, medians of ${rounds} rounds`)
  console.table(Object.fromEntries(Object.keys(results).map((name) => [name, row(name)])))
  for (const signal of ['metrics', 'traces']) {
    const ratio = row(`${signal} upkeep`)['CPU ms'] / row(`${signal} opentelemetry`)['CPU ms']
    console.log(`${signal}: CPU time of upkeep ÷ OpenTelemetry ${ratio.toFixed(2)} (goal 0.3)`)
  }
}
