import type { MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { prometheusProtobuf } from '../../src/prometheus/exposition/protobuf/prometheus-protobuf.ts'
import { openMetricsTextWithCreated, prometheusText } from '../../src/prometheus/exposition/text-format.ts'
import { createScraper } from '../../src/prometheus/scraper.ts'
import { counter, gauge, longTaskTimer, timer } from './snapshots.ts'

type Slices = readonly (readonly MeterSnapshot[])[]

const formats = { prometheus: prometheusText, openmetrics: openMetricsTextWithCreated, protobuf: prometheusProtobuf }
const tags = (of: string) => ({ tags: { of } })
const buckets = { bounds: [30], counts: [0, 1] }
const tasks = { activeTasks: 1, duration: 40, max: 40, buckets }

/** The page of a source with these slices, and how many series it is said to have. */
async function pageOf(slices: Slices, format: (typeof formats)[keyof typeof formats]) {
  const source = { names: () => ['a'], snapshot: () => slices.flat(), slices: () => slices }
  const counts: number[] = []
  const scraper = createScraper(source, { onRendered: ({ series }) => counts.push(series) })
  const chunks: Uint8Array[] = []
  for await (const chunk of scraper.scrape(format)) chunks.push(chunk)
  return { counts, text: Buffer.concat(chunks).toString('latin1') }
}

describe.each(Object.entries(formats))('a slice of several kinds, contrary to its contract, in %s', (_, format) => {
  it.each<[string, MeterSnapshot, MeterSnapshot, MeterSnapshot]>([
    ['counters', counter('a', 1, tags('one')), counter('a', 2, tags('two')), gauge('a', 1)],
    ['gauges', gauge('a', 1, tags('one')), gauge('a', 2, tags('two')), counter('a', 1)],
    ['infos', gauge('a.info', 1, tags('one')), gauge('a.info', 1, tags('two')), counter('a.info', 1)],
    ['timers', timer('a', tags('one')), timer('a', tags('two')), counter('a', 1)],
    [
      'running tasks',
      longTaskTimer('a', { ...tasks, ...tags('one') }),
      longTaskTimer('a', { ...tasks, ...tags('two') }),
      timer('a'),
    ],
  ])('has only the %s, as which its family began', async (_, first, second, other) => {
    const page = await pageOf([[first], [second, other]], format)
    expect(page).toEqual(await pageOf([[first], [second]], format))
    expect(page.counts).toEqual([2])
  })
})
