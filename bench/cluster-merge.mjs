// A scrape of eight members beside that of one, without sockets and files.
import { load, median, pairedValues, report } from './harness.mjs'
import { watchLoop } from './watch-loop.mjs'

const { createScraper } = await load('src/prometheus/scraper.ts')
const { prometheusText } = await load('src/prometheus/exposition/text-format.ts')
const { createMeterRegistry } = await load('src/entries/metrics.ts')
const { createMergedSource } = await load('src/cluster/merge/merged-source.ts')
const { cellCount } = await load('src/cluster/series-definition.ts')

const members = 8
const series = 10_000
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

function tagsOf(index) {
  return { method: ['GET', 'PUT', 'POST', 'DELETE'][index & 3], uri: `/api/v1/resource/${index >> 2}` }
}

function registryWith(kind) {
  const registry = createMeterRegistry({ maximumSeriesPerMeter: 1_000_000 })
  for (let index = 0; index < series; index++) {
    if (kind === 'counter') registry.counter('http.requests', tagsOf(index)).increment(index * 3 + 1)
    else {
      const timer = registry.timer('http.duration', tagsOf(index), { slo: bounds })
      for (let at = 0; at < 20; at++) timer.record(((index * 7919 + at * 104_729) % 600_011) / 100_000)
    }
  }
  return registry
}

/** The file of a member, as readers get it: the same series as the registry's. */
function memberOf(slot, registry) {
  const definitions = []
  const places = []
  const cells = []
  for (const { kind, id, created, value, total, max, count, buckets } of registry.snapshot()) {
    const { name, tags, description, baseUnit } = id
    const definition = { kind, id: { name, tags, description, baseUnit }, created, bounds: buckets?.bounds }
    definitions.push(definition)
    places.push(cells.length)
    if (kind === 'counter') cells.push(value)
    else cells.push(total, max, count, ...buckets.counts)
    if (cells.length !== places.at(-1) + cellCount(definition)) throw new Error('cells are not as they are defined')
  }
  const image = { definitions, places, cells: Float64Array.from(cells), exemplars: [], generation: '1' }
  const identity = {
    slot,
    incarnation: `${slot}`,
    pid: slot + 1,
    processStart: '1',
    parent: 1,
    threadId: 0,
    joinedAt: slot,
    application: 'bench',
    version: undefined,
  }
  const state = { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false }
  return { identity, state, isAlive: true, isProcessAlive: true, age: 0, image }
}

async function bytesOf(source) {
  let bytes = 0
  for await (const chunk of createScraper(source).scrape(prometheusText).borrow()) bytes += chunk.length
  return bytes
}

async function millisecondsOf(runs, run) {
  const start = performance.now()
  for (let done = 0; done < runs; done++) await run()
  return (performance.now() - start) / runs
}

/** How long the event loop is held at the longest while something runs. */
async function blockOf(run) {
  const end = watchLoop()
  await run()
  return end()
}

/** Measures `kind`, counter or timer, in so many rounds. */
export async function measureMerge(kind, rounds) {
  const registry = registryWith(kind)
  const all = Array.from({ length: members }, (_, slot) => memberOf(slot, registry))
  const options = { gauges: {}, maximumSeriesPerMeter: 1_000_000, report: console.error }
  const firsts = []
  for (let round = 0; round < rounds; round++) {
    const first = createMergedSource(options)
    const start = performance.now()
    firsts.push({ ...(await blockOf(() => first.update(all, undefined))), took: performance.now() - start })
  }
  const source = createMergedSource(options)
  await source.update(all, undefined)
  const refreshed = { ...source, refresh: () => source.update(all, undefined) }
  const scrapers = { one: createScraper(registry), merged: createScraper(refreshed) }
  const read = async (scraper) => {
    for await (const _ of scraper.scrape(prometheusText).borrow());
  }
  const contenders = {
    one: () => millisecondsOf(10, () => read(scrapers.one)),
    merged: () => millisecondsOf(10, () => read(scrapers.merged)),
    update: () => millisecondsOf(10, () => source.update(all, undefined)),
  }
  for (const contender of Object.values(contenders)) for (let warm = 0; warm < 5; warm++) await contender()
  const times = await pairedValues(contenders, { rounds })
  const blocks = []
  for (let round = 0; round < rounds; round++) blocks.push(await blockOf(() => read(scrapers.merged)))
  const [one, merged] = [await bytesOf(registry), await bytesOf(source)]
  const milliseconds = (name) => `${times.value(name).toFixed(2)} ms`
  report(`${members} × ${series.toLocaleString('en')} ${kind}s: scrape / that of one`, times.ratio('merged', 'one'), {
    atMost: 3,
    detail: `${milliseconds('merged')}, ${merged} bytes; one ${milliseconds('one')}, ${one} bytes`,
  })
  report('  of this, the update / scrape of one', times.ratio('update', 'one'), { detail: milliseconds('update') })
  const longest = (of, part) => median(of.map((each) => each[part]))
  const interrupted = (of) => `with turns that the system interrupted ${longest(of, 'longest').toFixed(1)} ms`
  report('  longest block of the event loop, ms', longest(blocks, 'undisturbed'), {
    atMost: 5,
    detail: interrupted(blocks),
  })
  report('  longest block of the first update, ms', longest(firsts, 'undisturbed'), {
    detail: `${longest(firsts, 'took').toFixed(0)} ms in all; ${interrupted(firsts)}`,
  })
}
