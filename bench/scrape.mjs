// Scraping, beside prom-client: `node bench/scrape.mjs`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { load, median, missed, pairedValues, report } from './harness.mjs'
import { checkSameContent, fillOurs, fillTheirs } from './scrape-content.mjs'

const { createScraper } = await load('src/prometheus/scraper.ts')
const { prometheusText } = await load('src/prometheus/exposition/text-format.ts')
const { openMetricsText } = await load('src/prometheus/exposition/text-format.ts')
const { prometheusProtobuf } = await load('src/prometheus/exposition/protobuf/prometheus-protobuf.ts')
const { requestBuckets, requestExponential } = await load('src/instrumentation/http-server/request-distribution.ts')
const requestDistribution = { slo: requestBuckets, exponential: requestExponential }

async function drain(chunks) {
  const all = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

async function millisecondsOf(runs, run) {
  const start = performance.now()
  for (let done = 0; done < runs; done++) await run()
  return (performance.now() - start) / runs
}

/** A page from the registry to bytes, with all turns of the event loop that this takes. */
async function wholePage(what, counters, histograms, atLeast) {
  const scraper = createScraper(fillOurs(counters, histograms))
  const theirs = fillTheirs(counters, histograms)
  checkSameContent(Buffer.concat(await drain(scraper.scrape(prometheusText))).toString(), await theirs.metrics())
  const contenders = {
    ours: () => millisecondsOf(20, () => drain(scraper.scrape(prometheusText))),
    openMetrics: () => millisecondsOf(20, () => drain(scraper.scrape(openMetricsText))),
    theirs: () => millisecondsOf(2, async () => Buffer.from(await theirs.metrics())),
  }
  for (const contender of Object.values(contenders)) for (let warm = 0; warm < 3; warm++) await contender()
  const times = await pairedValues(contenders, { rounds: 15 })
  const milliseconds = (name) => `${times.value(name).toFixed(2)} ms`
  const detail = `${milliseconds('ours')}, prom-client ${milliseconds('theirs')}`
  report(`scrape ${what}: prom-client / ours`, times.ratio('theirs', 'ours'), { atLeast, detail })
  report(`  as OpenMetrics`, times.ratio('theirs', 'openMetrics'), {
    detail: milliseconds('openMetrics'),
  })
}

/** The same meters as protobuf and as text: classic buckets in both, native histograms in protobuf only. */
async function protobufBesideText(what, counters, histograms, options, { time, bytes }) {
  const scraper = createScraper(fillOurs(counters, histograms, options))
  const pageOf = (format) => () => millisecondsOf(20, () => readAll(scraper.scrape(format).borrow()))
  const contenders = { protobuf: pageOf(prometheusProtobuf), text: pageOf(prometheusText) }
  for (const contender of Object.values(contenders)) for (let warm = 0; warm < 3; warm++) await contender()
  const times = await pairedValues(contenders, { rounds: 21 })
  const sizes = {
    protobuf: await readAll(scraper.scrape(prometheusProtobuf)),
    text: await readAll(scraper.scrape(prometheusText)),
  }
  const pair = (value, unit) => `${value('protobuf')} ${unit}, text ${value('text')} ${unit}`
  report(`${what}: protobuf / text, time`, times.ratio('protobuf', 'text'), {
    atMost: time,
    detail: pair((name) => times.value(name).toFixed(2), 'ms'),
  })
  report('  bytes', sizes.protobuf / sizes.text, { atMost: bytes, detail: pair((name) => `${sizes[name]}`, 'bytes') })
}

async function readAll(chunks) {
  let bytes = 0
  for await (const chunk of chunks) bytes += chunk.length
  return bytes
}

async function startServer(whose, counters, histograms) {
  const child = fork(new URL('scrape-server.mjs', import.meta.url), [whose, `${counters}`, `${histograms}`])
  const [port] = await once(child, 'message')
  const blocks = []
  return {
    blocks,
    /** The time until the last byte, in milliseconds. */
    async scrape() {
      child.send('watch')
      const start = performance.now()
      const [response] = await once(get({ host: '127.0.0.1', port, agent: false }), 'response')
      await drain(response)
      const milliseconds = performance.now() - start
      blocks.push(await this.report())
      return milliseconds
    },
    async report() {
      child.send('report')
      const [block] = await once(child, 'message')
      return block
    },
    /** What the machine alone does to an event loop that has nothing to do. */
    async idle(milliseconds) {
      child.send('watch')
      await sleep(milliseconds)
      return this.report()
    },
    close: () => child.disconnect(),
  }
}

/** Through a socket, from a process of its own for each contender, so that none pays for the garbage of the other. */
async function overHttp(counters, histograms) {
  const ours = await startServer('ours', counters, histograms)
  const theirs = await startServer('theirs', counters, histograms)
  for (let warm = 0; warm < 5; warm++) for (const server of [ours, theirs]) await server.scrape()
  for (const server of [ours, theirs]) server.blocks.length = 0
  const times = await pairedValues({ ours: () => ours.scrape(), theirs: () => theirs.scrape() }, { rounds: 15 })
  const idle = []
  for (let round = 0; round < 9; round++) idle.push((await ours.idle(times.value('ours'))).longest)
  for (const server of [ours, theirs]) server.close()
  const block = (server, part) => median(server.blocks.map((each) => each[part]))
  const ratios = ours.blocks.map(({ longest }, at) => theirs.blocks[at].longest / longest)
  const what = `${counters.toLocaleString('en')} counters + ${histograms.toLocaleString('en')} histograms`
  console.log(what)
  report('  longest block of the event loop, ms', block(ours, 'longest'), {
    atMost: 5,
    detail: [
      `prom-client ${block(theirs, 'longest').toFixed(0)} ms`,
      `without turns that the system interrupted ${block(ours, 'undisturbed').toFixed(1)} ms`,
      `for as long without a scrape ${median(idle).toFixed(1)} ms`,
    ].join('; '),
  })
  report('  longest block: prom-client / ours', median(ratios))
  report('  whole answer: prom-client / ours', times.ratio('theirs', 'ours'), {
    atLeast: 8,
    detail: `${times.value('ours').toFixed(0)} ms, prom-client ${times.value('theirs').toFixed(0)} ms`,
  })
}

console.log(`Node ${process.version}; milliseconds are this machine's, ratios are what counts`)
await wholePage('10,000 counters', 10_000, 0, 15)
await wholePage('1,000 histograms of 10 buckets', 0, 1_000, 10)
const goal = { time: 0.8, bytes: 0.5 }
const percentiles = { percentileHistogram: true, exponential: { maximumScale: 3 } }
await protobufBesideText('10,000 counters, 1,000 native histograms', 10_000, 1_000, percentiles, goal)
await protobufBesideText('  with the buckets of http.server.requests', 10_000, 1_000, requestDistribution, {})
await protobufBesideText('  10,000 counters alone', 10_000, 0, {}, {})
await overHttp(100_000, 10_000)
if (missed().length > 0) process.exitCode = 1
