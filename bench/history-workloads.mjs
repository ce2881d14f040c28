// What history.mjs runs with each build, by the public API. A workload is the text of a module, which leaves its figure
// in `result`, or has none: then the processor time of its process counts, in milliseconds. What its `base` takes, in
// the same build and round, is subtracted. `rounds` bounds how often a slow one runs.
import { join } from 'node:path'

const file = (name) => JSON.stringify(join(import.meta.dirname, name))

const frameworks = {
  'node:http': { entry: 'node', application: '(observed) => (req, res) => observed(req, res, () => answer(req, res))' },
  'Koa 3': { entry: 'koa', application: 'koaApp', empty: '(_context, next) => next()' },
  'Express 5': { entry: 'express', application: 'expressApp' },
}

/** Requests pass through an application in the process, over no network. `middleware` is an expression. */
const requests = ({ entry, application }, middleware, before = '') => `
  import { timeOf } from ${file('inject.mjs')}
  import { answer, empty, expressApp, koaApp } from ${file('requests.mjs')}
  import { createManagement } from 'upkeep'
  import { observe } from 'upkeep/${entry}'
  const management = createManagement({ metrics: { runtime: false } })
  ${before}
  const request = (i) => ({ url: '/orders/' + (i & 63), headers: ['X-Request-Id', 'request-' + (i & 63)] })
  const listener = (${application})(${middleware})
  const times = []
  for (let round = 0; round < 100; round += 1) times.push(await timeOf(listener, 1_000, request))
  // The first rounds compile; of the others, the lower quartile is without most of what disturbs.
  result = times.slice(40).sort((one, other) => one - other)[15]`

const health = `
  import { createManagement } from 'upkeep'
  const management = createManagement({ health: { indicators: { db: () => ({ status: 'UP' }) } } })
  await management({ method: 'GET', target: '/management/health', headers: {}, base: '', body() {} })`

const timers = `
  import { createManagement } from 'upkeep'
  const { meters } = createManagement({ metrics: { runtime: false } })
  const bounds = Array.from({ length: 100 }, (_, at) => Number((0.001 * 1.1 ** at).toPrecision(6)))
  const some = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  const timers = [some, bounds].map((slo) => meters.timer('work.' + slo.length, {}, { slo }))
  const values = Float64Array.from({ length: 1_024 }, (_, at) => 0.001 * 1.009 ** ((at * 7_919) & 1_023))
  const text = 'for (let at = 0; at < n; at += 1) timer.record(values[at & 1023])'
  const [few, many] = timers.map((timer) => new Function('timer', 'values', 'n', text).bind(undefined, timer, values))
  const timeOf = (loop) => {
    const began = performance.now()
    loop(300_000)
    return performance.now() - began
  }
  const ratios = []
  for (let round = 0; round < 25; round += 1) ratios.push(timeOf(many) / timeOf(few))
  result = ratios.sort((one, other) => one - other)[12]`

/** Says by the environment that logs are not exported: the first edition had no option for it, since it had no logs. */
const noLogs = "process.env.OTEL_LOGS_EXPORTER = 'none'"

/** Exports ten times; the figure is the processor time of the first export, or the median of the later ones. */
const exports = (url, what, prepare, options, figure) => `
  ${noLogs}
  import * as upkeep from 'upkeep'
  import { startTelemetry } from 'upkeep/otlp'
  const management = upkeep.createManagement({ metrics: { runtime: false, maximumSeriesPerMeter: 1_000_000 } })
  ${what}
  const telemetry = await startTelemetry({ management, url: ${url}, flushTimeout: '50s', ${options} })
  const measured = []
  for (let at = 0; at < 10; at += 1) {
    await new Promise(setImmediate)
    const recorded = ${prepare}
    const before = process.cpuUsage()
    await telemetry.flush()
    const { user, system } = process.cpuUsage(before)
    measured.push(recorded + (user + system) / 1_000)
  }
  const [first, ...later] = measured
  result = ${figure}`
const first = 'first'
const later = 'later.sort((one, other) => one - other)[4]'

/** The span that completes a batch exports it: its time counts. */
const recordSpans = `
  const attributes = {
    'http.request.method': 'GET', 'http.response.status_code': 200, 'http.route': '/orders/:id',
    'server.address': 'orders.internal', 'url.path': '/orders/17', 'url.scheme': 'https',
  }
  const record = () => void upkeep.traced('GET /orders/:id', () => {}, { attributes })
  const recordAll = () => {
    for (let at = 1; at < 512; at += 1) record()
    const before = process.cpuUsage()
    record()
    const { user, system } = process.cpuUsage(before)
    for (let at = 512; at < 10_000; at += 1) record()
    return (user + system) / 1_000
  }`
const spans = (url, figure, more = '') => {
  const tracing = "tracing: { maximumQueueSize: 1_000_000, delay: '1h' }"
  return exports(url, recordSpans, 'recordAll()', `metrics: false, ${tracing}, ${more}`, figure)
}
const series = (url, figure, more = '') => {
  const record = `
    const counters = management.meters.counters('orders.placed', ['customer', 'region', 'result'])
    for (let at = 0; at < 100_000; at += 1) counters.with('customer-' + at, 'eu-central-1', 'success').increment(at)`
  return exports(url, record, '0', `tracing: false, timeout: '50s', ${more}`, figure)
}

/** Percent of a core that a process with 10,000 counters takes, none of which has changed for a while. */
const member = (join) => `
  import { mkdtempSync, rmSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { createManagement } from 'upkeep'
  import { joinCluster } from 'upkeep/cluster'
  const management = createManagement({
    application: { name: 'bench' },
    metrics: { runtime: false, maximumSeriesPerMeter: Infinity },
  })
  const tags = (at) => ({ method: ['GET', 'PUT', 'POST', 'DELETE'][at & 3], uri: '/api/v1/resource/' + (at >> 2) })
  for (let at = 0; at < 10_000; at += 1) management.meters.counter('orders', tags(at)).increment(at)
  const directory = mkdtempSync(tmpdir() + '/upkeep-bench-')
  if (${join}) joinCluster(management, { directory, group: 'bench', maximumSeriesPerMeter: 1_000_000 })
  // After the member has left.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  // V8 collects garbage some eight seconds after a process has become idle.
  await new Promise((done) => setTimeout(done, 12_000))
  const before = process.cpuUsage()
  await new Promise((done) => setTimeout(done, 5_000))
  const { user, system } = process.cpuUsage(before)
  result = (user + system) / 50_000`

/** Returns the workloads by name; `url` is that of a receiver that accepts everything, as an expression. */
export function workloadsOf(url) {
  const exported = `
    ${noLogs}
    const { startTelemetry } = await import('upkeep/otlp')
    await startTelemetry({ management, url: ${url}, metrics: false })`
  const official = "exporter: 'opentelemetry'"
  const all = {
    bare: { code: '', isBase: true },
    "import 'upkeep', ms": { code: "import 'upkeep'", base: 'bare' },
    "import 'upkeep/node', ms": { code: "import 'upkeep/node'", base: 'bare' },
    "import 'upkeep/express', ms": { code: "import 'upkeep/express'", base: 'bare' },
    "import 'upkeep/koa', ms": { code: "import 'upkeep/koa'", base: 'bare' },
    'health, to its first response, ms': { code: health, base: 'bare' },
  }
  for (const [name, framework] of Object.entries(frameworks)) {
    const { entry, empty = 'empty' } = framework
    const observed = entry === 'node' ? "observe(management, { route: () => '/orders/:id' })" : 'observe(management)'
    all[name] = { code: requests(framework, empty), isBase: true }
    all[`${name}: observe, µs`] = { code: requests(framework, observed), base: name }
    all[`${name}: traced and exported, µs`] = { code: requests(framework, observed, exported), base: name }
  }
  return {
    ...all,
    'a timer of 100 bounds / of 11': { code: timers },
    '10,000 spans, first export, ms': { code: spans(url, first), rounds: 5 },
    '… by OpenTelemetry': { code: spans(url, first, official), rounds: 5 },
    '10,000 spans, later exports, ms': { code: spans(url, later), rounds: 5 },
    '… later, by OpenTelemetry': { code: spans(url, later, official), rounds: 5 },
    '100,000 series, first export, ms': { code: series(url, first), rounds: 5 },
    '… of series, by OpenTelemetry': { code: series(url, first, official), rounds: 5 },
    'no cluster, % of a core': { code: member(false), isBase: true, rounds: 3 },
    'a member of a cluster, % of a core': { code: member(true), base: 'no cluster, % of a core', rounds: 3 },
  }
}

/** The program whose loaded files are counted. */
export const loadedBy = health
