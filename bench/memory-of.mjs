// Answers how many bytes a series costs, for memory.mjs: `ours` or `theirs`, `counter` or `histogram`, how many.
import { setTimeout as sleep } from 'node:timers/promises'
import { load } from './harness.mjs'
import { fillOurs, fillTheirs } from './scrape-content.mjs'

const [whose, kind, series] = process.argv.slice(2)
const counters = kind === 'counter' ? Number(series) : 0
const histograms = kind === 'histogram' ? Number(series) : 0

async function usedBytes() {
  for (let round = 0; round < 4; round++) {
    globalThis.gc()
    await sleep(5)
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function createOurs() {
  const { createScraper } = await load('src/prometheus/scraper.ts')
  const { prometheusText } = await load('src/prometheus/exposition/text-format.ts')
  return {
    fill: fillOurs,
    async scrape(registry) {
      let bytes = 0
      for await (const chunk of createScraper(registry).scrape(prometheusText)) bytes += chunk.length
      return bytes
    },
  }
}

function createTheirs() {
  return { fill: fillTheirs, scrape: async (registry) => Buffer.byteLength(await registry.metrics()) }
}

const { fill, scrape } = whose === 'ours' ? await createOurs() : createTheirs()

// The code is compiled and optimized, and what it keeps once for all series is made, before anything is counted.
const warm = fill(Math.min(counters, 200), Math.min(histograms, 200))
for (let round = 0; round < 200; round++) await scrape(warm)
const before = await usedBytes()
const registry = fill(counters, histograms)
await scrape(registry)
const after = await usedBytes()
await scrape(registry)
process.send((after - before) / Number(series))
process.disconnect()
