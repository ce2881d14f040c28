import type { Clock } from 'upkeep'
import type { MeterSnapshot, SnapshotSource } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import type { NameConflict } from '../../src/prometheus/exposition/name-conflict.ts'
import { openMetricsText, prometheusText } from '../../src/prometheus/exposition/text-format.ts'
import { createScraper, type RenderedPage, type Scraper } from '../../src/prometheus/scraper.ts'
import { measureLiveHeap } from '../support/collect-garbage.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { readText } from '../support/read-text.ts'
import { render } from './render.ts'
import { counter, gauge, sourceOf, timer } from './snapshots.ts'

const manyCounters = Array.from({ length: 20_000 }, (_, index) =>
  counter('orders.placed', index, { tags: { customer: `customer-${index}`, region: 'eu-central-1' } }),
)

/** A source that counts how often it is read, and how far. */
function countedSource(snapshots: readonly MeterSnapshot[]): SnapshotSource & { readings: number; slicesRead: number } {
  const source = sourceOf(snapshots)
  return {
    readings: 0,
    slicesRead: 0,
    names: source.names,
    snapshot: source.snapshot,
    *slices(size) {
      this.readings++
      for (const slice of source.slices(size)) {
        this.slicesRead++
        yield slice
      }
    },
  }
}

/** A monotonic clock that moves on by a step at each reading. */
function steppingClock(step: number): Clock {
  let now = 0
  return {
    wallTime: () => now,
    monotonicTime: () => {
      now += step
      return now
    },
  }
}

async function chunksOf(chunks: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

describe('a scrape', () => {
  it('is returned in chunks of at most 64 KB, nearly full', async () => {
    const chunks = await chunksOf(createScraper(sourceOf(manyCounters)).scrape(prometheusText))
    expect(chunks.length).toBeGreaterThan(20)
    for (const chunk of chunks.slice(0, -1)) {
      expect(chunk.length).toBeLessThanOrEqual(65_536)
      expect(chunk.length).toBeGreaterThan(50_000)
    }
  })

  it('splits a series that is longer than a chunk', async () => {
    const bounds = Array.from({ length: 275 }, (_, index) => index + 1)
    const counts = [...bounds.map(() => 1), 0]
    const tags = { text: 'x'.repeat(1_000) }
    const series = [timer('a', { count: 275, total: 1, max: 1, buckets: { bounds, counts }, tags }), gauge('b', 1)]
    const page = await render(sourceOf(series), prometheusText)
    const lines = [...bounds, '+Inf'].map((bound, index) => {
      const le = typeof bound === 'number' ? `${bound}.0` : bound
      return `a_seconds_bucket{text="${tags.text}",le="${le}"} ${Math.min(index + 1, 275)}\n`
    })
    expect(page).toContain(lines.join(''))
  })

  it('yields to the event loop between slices of at most a millisecond', async () => {
    const source = countedSource(manyCounters)
    const page = readText(createScraper(source, { clock: steppingClock(0.25) }).scrape(prometheusText))
    const readPerTurn: number[] = []
    for (let turn = 0, before = 0; turn < 2_000 && readPerTurn.at(-1) !== 0; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (source.readings > 0) readPerTurn.push(source.slicesRead - before)
      before = source.slicesRead
    }
    expect(Math.max(...readPerTurn)).toBeLessThanOrEqual(4)
    expect(readPerTurn.length).toBeGreaterThan(70)
    expect(await page).toBe(await render(sourceOf(manyCounters), prometheusText))
  })

  it('alternates with other scrapes, also of other formats', async () => {
    const source = countedSource(manyCounters)
    const scraper = createScraper(source, { clock: steppingClock(2) })
    const pages = [prometheusText, openMetricsText].map((format) => readText(scraper.scrape(format)))
    pages.push(readText(scraper.scrape(prometheusText, new Set(['orders_placed']))))
    const readPerTurn: number[] = []
    for (let turn = 0, before = 0; turn < 100; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      readPerTurn.push(source.slicesRead - before)
      before = source.slicesRead
    }
    expect(source.readings).toBe(3)
    expect(Math.max(...readPerTurn)).toBe(1)
    const [text, , selected] = await Promise.all(pages)
    expect(selected).toBe(text)
  })

  it('reads nothing before the first chunk is requested', async () => {
    const source = countedSource([gauge('a', 1)])
    const scraped = createScraper(source).scrape(prometheusText)
    await new Promise((resolve) => setImmediate(resolve))
    expect(source.readings).toBe(0)
    expect(await readText(scraped)).toContain('a 1\n')
  })

  it('reads no further than requested', async () => {
    const source = countedSource(manyCounters)
    const chunks = createScraper(source).scrape(prometheusText)[Symbol.asyncIterator]()
    await chunks.next()
    const read = source.slicesRead
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(source.slicesRead).toBe(read)
    expect(read).toBeLessThan(100)
  })

  it('reports a finished page', async () => {
    const pages: RenderedPage[] = []
    const scraper = createScraper(sourceOf(manyCounters), { onRendered: (page) => pages.push(page) })
    const [first, second] = await Promise.all([
      readText(scraper.scrape(prometheusText)),
      readText(scraper.scrape(prometheusText)),
    ])
    expect(second).toBe(first)
    expect(pages).toEqual([
      { format: prometheusText, series: 20_000, bytes: Buffer.byteLength(first), seconds: expect.any(Number) },
    ])
    expect(pages[0]?.seconds).toBeGreaterThan(0)
  })

  it('fails for all its readers when the source fails', async () => {
    const broken: SnapshotSource = {
      names: () => [],
      snapshot: () => [],
      *slices() {
        yield [gauge('a', 1)]
        throw new Error('gone')
      },
    }
    const scraper = createScraper(broken)
    const results = await Promise.allSettled([1, 2].map(() => readText(scraper.scrape(prometheusText))))
    expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
      'Error: gone',
      'Error: gone',
    ])
  })
})

describe('overlapping scrapes', () => {
  it('share one rendering', async () => {
    const source = countedSource(manyCounters)
    const scraper = createScraper(source)
    const early = scraper.scrape(prometheusText)[Symbol.asyncIterator]()
    const first = await early.next()
    const late = await Promise.all([1, 2, 3].map(() => readText(scraper.scrape(prometheusText))))
    const rest = await readText({ [Symbol.asyncIterator]: () => early })
    expect(source.readings).toBe(1)
    for (const page of late) expect(page).toBe(`${first.done ? '' : Buffer.from(first.value)}${rest}`)
  })

  it('do not share a rendering of another format or other names', async () => {
    const source = countedSource(manyCounters)
    const scraper = createScraper(source)
    await Promise.all([
      readText(scraper.scrape(prometheusText)),
      readText(scraper.scrape(openMetricsText)),
      readText(scraper.scrape(prometheusText, new Set(['a', 'b']))),
      readText(scraper.scrape(prometheusText, new Set(['b', 'a']))),
    ])
    expect(source.readings).toBe(3)
  })

  it('do not share a rendering that has ended', async () => {
    const source = countedSource([gauge('a', 1)])
    const scraper = createScraper(source)
    await readText(scraper.scrape(prometheusText))
    await readText(scraper.scrape(prometheusText))
    expect(source.readings).toBe(2)
  })

  it('do not share a rendering that is a second old, which continues for its readers', async () => {
    let now = 0
    const clock: Clock = { wallTime: () => now, monotonicTime: () => now }
    const source = countedSource(manyCounters)
    const scraper = createScraper(source, { clock })
    const early = scraper.scrape(prometheusText)[Symbol.asyncIterator]()
    const first = await early.next()
    now = 999
    const joined = scraper.scrape(prometheusText)[Symbol.asyncIterator]()
    expect(await joined.next()).toEqual(first)
    expect(source.readings).toBe(1)
    now = 1_000
    const page = await readText(scraper.scrape(prometheusText))
    expect(source.readings).toBe(2)
    for (const reader of [early, joined]) {
      const rest = await readText({ [Symbol.asyncIterator]: () => reader })
      expect(`${first.done ? '' : Buffer.from(first.value)}${rest}`).toBe(page)
    }
  })

  it('do not share a rendering beyond a megabyte', async () => {
    const source = countedSource(manyCounters)
    const scraper = createScraper(source)
    const early = scraper.scrape(prometheusText)[Symbol.asyncIterator]()
    for (let chunk = 0; chunk < 16; chunk++) await early.next()
    await readText(scraper.scrape(prometheusText))
    expect(source.readings).toBe(2)
    await early.return?.()
  })

  it('are garbage-collected when their readers stop reading without closing', async () => {
    const clock = createManualClock()
    const chunks: WeakRef<object>[] = []
    const scraper = createScraper(sourceOf([counter('orders.placed', 1)]), { clock })
    async function abandon(name: string): Promise<void> {
      const { value } = await scraper
        .scrape(prometheusText, new Set(['orders_placed_total', name]))
        [Symbol.asyncIterator]()
        .next()
      chunks.push(new WeakRef(value))
    }
    for (let at = 0; at < 100; at += 1) await abandon(`orders_${at}`)
    clock.advance(1_000)
    await abandon('orders')
    const countRetained = async () => {
      await measureLiveHeap()
      return chunks.filter((chunk) => chunk.deref() !== undefined).length
    }
    await expect.poll(countRetained).toBeLessThanOrEqual(1)
  })

  it('continue when one reader closes, and stop with the last', async () => {
    const source = countedSource(manyCounters)
    const scraper = createScraper(source)
    const readers = [1, 2].map(() => scraper.scrape(prometheusText)[Symbol.asyncIterator]())
    for (const reader of readers) await reader.next()
    await readers[0]?.return?.()
    expect((await readers[1]?.next())?.done).toBe(false)
    await readers[1]?.return?.()
    const read = source.slicesRead
    const page = await readText(scraper.scrape(prometheusText))
    expect(source.readings).toBe(2)
    expect(source.slicesRead - read).toBe(Math.ceil(manyCounters.length / 64))
    expect(page).toContain('customer-19999')
  })
})

describe('a borrowed page', () => {
  const page = () => render(sourceOf(manyCounters), prometheusText)

  /** Reads a page as what puts it on the wire does: a chunk is read before the next is asked for. */
  async function borrow(scraper: Scraper, memory = new Set<ArrayBufferLike>()): Promise<string> {
    let text = ''
    for await (const chunk of scraper.scrape(prometheusText).borrow()) {
      text += Buffer.from(chunk).toString()
      memory.add(chunk.buffer)
    }
    return text
  }

  it('is the same page, in reused memory', async () => {
    const memory = new Set<ArrayBufferLike>()
    expect(await borrow(createScraper(sourceOf(manyCounters)), memory)).toBe(await page())
    // Those of its beginning are not, as another reader may still come.
    const chunks = (await chunksOf(createScraper(sourceOf(manyCounters)).scrape(prometheusText))).length
    expect(chunks).toBeGreaterThan(20)
    expect(memory.size).toBeLessThanOrEqual(16 + 3)
  })

  it('is complete for each of several readers at any speed, and for one that stores its chunks', async () => {
    const scraper = createScraper(sourceOf(manyCounters))
    const slow = scraper.scrape(prometheusText).borrow()[Symbol.asyncIterator]()
    const first = await slow.next()
    let slowText = first.done ? '' : Buffer.from(first.value).toString()
    const kept = chunksOf(scraper.scrape(prometheusText))
    const others = await Promise.all([borrow(scraper), borrow(scraper)])
    for (let next = await slow.next(); !next.done; next = await slow.next()) {
      await new Promise((resolve) => setImmediate(resolve))
      slowText += Buffer.from(next.value).toString()
    }
    const wanted = await page()
    for (const text of [...others, slowText, Buffer.concat(await kept).toString()]) expect(text).toBe(wanted)
  })

  it('is complete for the other readers when one closes midway', async () => {
    const scraper = createScraper(sourceOf(manyCounters))
    const leaving = scraper.scrape(prometheusText).borrow()[Symbol.asyncIterator]()
    const staying = borrow(scraper)
    for (let chunk = 0; chunk < 18; chunk++) await leaving.next()
    await leaving.return?.()
    expect(await staying).toBe(await page())
  })
})

describe('a conflict', () => {
  it('is reported once per meter, not at every scrape', async () => {
    const reported: NameConflict[] = []
    const series = [gauge('a.b', 1), gauge('a_b', 2)]
    const scraper = createScraper(sourceOf(series), { onConflict: (conflict) => reported.push(conflict) })
    await readText(scraper.scrape(prometheusText))
    await readText(scraper.scrape(openMetricsText))
    expect(reported).toEqual([{ scope: 'family', exported: 'a_b', kept: series[0]?.id, dropped: series[1]?.id }])
  })
})

describe('stalled readers beside fast ones', () => {
  const scraper = () => createScraper(sourceOf(manyCounters))
  const selection = (index: number) => new Set(['orders_placed', 'orders_placed_total', `other_${index}`])

  async function readRest(
    reader: AsyncIterator<Uint8Array>,
  ): Promise<{ readonly chunks: number; readonly isCut: boolean }> {
    for (let chunks = 0; ; chunks++) {
      try {
        if ((await reader.next()).done) return { chunks, isCut: false }
      } catch {
        return { chunks, isCut: true }
      }
    }
  }

  it('hold at most 16 MB of all pages together', async () => {
    const { scrape } = scraper()
    const slow: AsyncIterator<Uint8Array>[] = []
    let pages = 0
    for (let index = 0; index < 24; index++) {
      const reader = scrape(prometheusText, selection(index))[Symbol.asyncIterator]()
      await reader.next()
      slow.push(reader)
      pages += (await chunksOf(scrape(prometheusText, selection(index)))).length
    }
    expect(pages).toBeGreaterThan(2 * 256)
    const rests = await Promise.all(slow.map(readRest))
    const kept = rests.reduce((sum, { chunks }) => sum + chunks, 0)
    expect(kept).toBeLessThanOrEqual(256)
    expect(kept).toBeGreaterThan(128)
    // Whoever has stood still is cut before one who reads.
    expect(rests.filter(({ isCut }) => !isCut).length).toBeGreaterThan(2)
  })

  it('are not cut off without faster readers, however many there are', async () => {
    const { scrape } = scraper()
    const slow: AsyncIterator<Uint8Array>[] = []
    for (let index = 0; index < 300; index++) {
      const reader = scrape(prometheusText, selection(index))[Symbol.asyncIterator]()
      for (let chunk = 0; chunk < 3; chunk++) await reader.next()
      slow.push(reader)
    }
    for (const reader of slow) expect((await reader.next()).done).toBe(false)
    for (const reader of slow) await reader.return?.()
  })
})
