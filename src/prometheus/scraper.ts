import { type Clock, systemClock } from '../base/clock.ts'
import { nextTurn } from '../base/timers.ts'
import type { MeterId, SnapshotSource } from '../metrics/snapshot.ts'
import { type ExpositionFormat, type ExpositionPage, writeExposition } from './exposition/exposition.ts'
import type { ReportConflict } from './exposition/name-conflict.ts'
import { createSharedStreams, type SharedReading, type StreamSource } from './shared-stream.ts'

/** A page that was rendered completely. */
export interface RenderedPage {
  readonly format: ExpositionFormat
  readonly series: number
  readonly bytes: number
  /** How long the event loop was busy with it: the sum of all slices. */
  readonly seconds: number
}

export interface ScraperOptions {
  /** Called once for each meter that is omitted because another one has its exported name or series. */
  readonly onConflict?: ReportConflict
  /** Called after each page that was rendered completely. */
  readonly onRendered?: (page: RenderedPage) => void
  /** @default systemClock */
  readonly clock?: Clock
}

export interface Scraper {
  /**
   * Returns all series, or those of the families that have an exported name in `names`, as UTF-8 in chunks of about 64
   * KB. Nothing is read before the first chunk is requested. Overlapping scrapes of one format and the same names share
   * one rendering.
   */
  scrape(format: ExpositionFormat, names?: ReadonlySet<string>): SharedReading
}

/** How long a slice may take; it ends after the series at hand, so a little later. */
const budgetMilliseconds = 1

/**
 * Renders pages in slices of a millisecond: one slice per turn of the event loop, however many pages are being
 * rendered.
 */
export function createScraper(source: SnapshotSource, options: ScraperOptions = {}): Scraper {
  const { onConflict, onRendered, clock = systemClock } = options
  const streams = createSharedStreams(clock)
  const nextTurn = createTurns()
  const report = onConflict && reportOnce(onConflict)

  function start(format: ExpositionFormat, names: ReadonlySet<string> | undefined): StreamSource {
    let page: ExpositionPage | undefined
    async function* chunks(): AsyncGenerator<Uint8Array> {
      page = await format.createPage()
      yield* render(format, names, page)
    }
    return { chunks: chunks(), reuse: (chunk) => page?.reuse(chunk) }
  }

  async function* render(
    format: ExpositionFormat,
    names: ReadonlySet<string> | undefined,
    page: ExpositionPage,
  ): AsyncGenerator<Uint8Array> {
    await source.refresh?.()
    const work = writeExposition(source, format, page, { names, onConflict: report })
    let series: number | undefined
    let bytes = 0
    let milliseconds = 0
    try {
      while (series === undefined) {
        await nextTurn()
        const begun = clock.monotonicTime()
        do series = finished(work.next())
        while (series === undefined && page.full === 0 && clock.monotonicTime() - begun < budgetMilliseconds)
        const chunks = page.take(series !== undefined)
        milliseconds += clock.monotonicTime() - begun
        for (const chunk of chunks) {
          bytes += chunk.length
          yield chunk
        }
      }
      onRendered?.({ format, series, bytes, seconds: milliseconds / 1_000 })
    } finally {
      work.return(0)
    }
  }

  return {
    scrape(format, names) {
      const selection = names === undefined ? '' : JSON.stringify([...names].sort())
      return streams.read(`${format.mediaType} ${selection}`, () => start(format, names))
    },
  }
}

function finished<T>(step: IteratorResult<undefined, T>): T | undefined {
  return step.done ? step.value : undefined
}

/** Returns a function whose promises resolve one per turn of the event loop, in order. */
function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(nextTurn)
    return last
  }
}

function reportOnce(report: ReportConflict): ReportConflict {
  const reported = new WeakSet<MeterId>()
  return (conflict) => {
    if (reported.has(conflict.dropped)) return
    reported.add(conflict.dropped)
    report(conflict)
  }
}
