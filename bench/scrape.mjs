// Scraping, beside prom-client: `node bench/scrape.mjs`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import prom from 'prom-client'
import { load, median, missed, pairedValues, report } from './harness.mjs'

const { createMeterRegistry } = await load('src/metrics/registry.ts')
const { createScraper } = await load('src/formats/scraper.ts')
const { prometheusText } = await load('src/formats/prometheus-text.ts')
const { openMetricsText } = await load('src/formats/openmetrics-text.ts')

const methods = ['GET', 'PUT', 'POST', 'DELETE']
const statuses = ['200', '201', '404', '500']
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

function tagsOf(index) {
  return { method: methods[index & 3], status: statuses[(index >> 2) & 3], uri: `/api/v1/resource/${index >> 4}` }
}

/** The same series with the same values in both. */
function fill(counters, histograms) {
  const registry = createMeterRegistry({ maximumSeriesPerMeter: 1_000_000 })
  const promRegistry = new prom.Registry()
  const labelNames = ['method', 'status', 'uri']
  const registers = [promRegistry]
  const theirCounter = new prom.Counter({ name: 'http_requests_total', help: 'Requests', labelNames, registers })
  const ourCounters = registry.counters('http.requests', labelNames, { description: 'Requests' })
  for (let index = 0; index < counters; index++) {
    const { method, status, uri } = tagsOf(index)
    ourCounters.with(method, status, uri).increment(index * 3 + 1)
    theirCounter.inc({ method, status, uri }, index * 3 + 1)
  }
  const theirTimer = new prom.Histogram({
    name: 'http_duration_seconds',
    help: 'Durations',
    labelNames,
    registers,
    buckets: bounds,
  })
  const ourTimers = registry.timers('http.duration', labelNames, { description: 'Durations', slo: bounds })
  for (let index = 0; index < histograms; index++) {
    const { method, status, uri } = tagsOf(index)
    const timer = ourTimers.with(method, status, uri)
    for (let measurement = 0; measurement < 20; measurement++) {
      const seconds = ((index * 7919 + measurement * 104_729) % 6007) / 1000 + Math.random() / 1000
      timer.record(seconds)
      theirTimer.observe({ method, status, uri }, seconds)
    }
  }
  return { registry, promRegistry }
}

async function textOf(chunks) {
  const all = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

/** Every series and its value, the labels in one order, numbers as numbers. */
function seriesOf(text) {
  const series = new Map()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, labels = '', value] = /^([^{ ]+)(?:\{(.*)\})? (\S+)$/.exec(line)
    const sorted = labels
      .split(/,(?=\w+=)/)
      .map((label) => label.replace(/^le="(.*)"$/, (_, bound) => `le=${Number(bound.replace('+Inf', 'Infinity'))}`))
      .sort()
    series.set(`${name}{${sorted}}`, Number(value))
  }
  return series
}

/** prom-client has no maxima; all else has to be the same before anything is measured. */
async function checkSameContent(scraper, promRegistry) {
  const ours = seriesOf(await textOf(scraper.scrape(prometheusText)))
  const theirs = seriesOf(await promRegistry.metrics())
  for (const name of ours.keys()) if (name.startsWith('http_duration_seconds_max')) ours.delete(name)
  if (ours.size !== theirs.size) throw new Error(`${ours.size} series beside ${theirs.size}`)
  for (const [name, value] of theirs) {
    if (ours.get(name) !== value) throw new Error(`${name} is ${ours.get(name)} beside ${value}`)
  }
}

async function timeOf(runs, run) {
  const start = performance.now()
  for (let done = 0; done < runs; done++) await run()
  return (performance.now() - start) / runs
}

/** Rendered to bytes, chunk by chunk, with all turns of the event loop that this takes. */
async function drain(chunks) {
  let bytes = 0
  for await (const chunk of chunks) bytes += chunk.length
  return bytes
}

async function wholePages(what, counters, histograms, atLeast) {
  const { registry, promRegistry } = fill(counters, histograms)
  const scraper = createScraper(registry)
  await checkSameContent(scraper, promRegistry)
  const contenders = {
    ours: () => timeOf(20, () => drain(scraper.scrape(prometheusText))),
    openMetrics: () => timeOf(20, () => drain(scraper.scrape(openMetricsText))),
    theirs: () => timeOf(2, async () => Buffer.from(await promRegistry.metrics()).length),
  }
  for (const contender of Object.values(contenders)) for (let warm = 0; warm < 3; warm++) await contender()
  const times = await pairedValues(contenders, { rounds: 15 })
  const milliseconds = (name) => `${times.value(name).toFixed(2)} ms`
  const detail = `${milliseconds('ours')}, prom-client ${milliseconds('theirs')}`
  report(`scrape ${what}: prom-client / ours`, times.ratio('theirs', 'ours'), { atLeast, detail })
  report(`scrape ${what} as OpenMetrics, with _created: prom-client / ours`, times.ratio('theirs', 'openMetrics'), {
    detail: milliseconds('openMetrics'),
  })
}

/** Another process, which asks for a path over a socket and answers with the milliseconds until the last byte. */
function createClient(port) {
  const child = fork(new URL('scrape-client.mjs', import.meta.url), [`${port}`])
  return {
    async get(path) {
      child.send(path)
      const [answer] = await once(child, 'message')
      return answer
    },
    close: () => child.disconnect(),
  }
}

/** The longest time between two turns of the event loop while something is awaited. */
async function longestBlock(work) {
  let longest = 0
  let last = performance.now()
  let over = false
  const turn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await work()
  over = true
  return { longest, result }
}

/** What the machine alone does to an event loop that has nothing to do. */
async function idleBlocks(milliseconds) {
  const blocks = []
  for (let round = 0; round < 9; round++) {
    blocks.push((await longestBlock(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))).longest)
  }
  return median(blocks)
}

async function overHttp(counters, histograms) {
  const { registry, promRegistry } = fill(counters, histograms)
  const scraper = createScraper(registry)
  const server = createServer(async (request, response) => {
    if (request.url === '/ours') {
      for await (const chunk of scraper.scrape(prometheusText)) {
        if (!response.write(chunk)) await once(response, 'drain')
      }
      response.end()
    } else response.end(await promRegistry.metrics())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = createClient(server.address().port)
  const runs = { ours: [], theirs: [] }
  const contender = (name) => async () => {
    const { longest, result } = await longestBlock(() => client.get(`/${name}`))
    runs[name].push(longest)
    return result.milliseconds
  }
  const contenders = { ours: contender('ours'), theirs: contender('theirs') }
  for (const each of Object.values(contenders)) for (let warm = 0; warm < 3; warm++) await each()
  for (const blocks of Object.values(runs)) blocks.length = 0
  const times = await pairedValues(contenders, { rounds: 9 })
  client.close()
  server.close()
  const ours = median(runs.ours)
  const theirs = median(runs.theirs)
  const what = `${counters} counters + ${histograms} histograms`
  const idle = await idleBlocks(times.value('ours'))
  const blocks = `prom-client ${theirs.toFixed(0)} ms; idle for as long: ${idle.toFixed(1)} ms`
  report(`longest block in ms, ${what}`, ours, { atMost: 5, detail: blocks })
  report(`longest block, ${what}: prom-client / ours`, median(runs.theirs.map((each, at) => each / runs.ours[at])))
  report(`whole answer, ${what}: prom-client / ours`, times.ratio('theirs', 'ours'), {
    atLeast: 8,
    detail: `${times.value('ours').toFixed(0)} ms, prom-client ${times.value('theirs').toFixed(0)} ms`,
  })
}

console.log(`Node ${process.version}; milliseconds are this machine's, ratios are what counts`)
await wholePages('10,000 counters', 10_000, 0, 15)
await wholePages('1,000 histograms of 10 buckets', 0, 1_000, 10)
await overHttp(100_000, 10_000)
if (missed().length > 0) process.exitCode = 1
