import { type Clock, systemClock } from '../base/clock.ts'
import { nextTurn } from '../base/timers.ts'
import type { MeterId, SnapshotSource } from '../metrics/snapshot.ts'
import { type ByteChunks, createByteChunks } from './exposition/byte-chunks.ts'
import type { ExpositionFormat } from './exposition/exposition-format.ts'
import type { ReportConflict } from './exposition/name-conflict.ts'
import { writeExposition } from './exposition/write-exposition.ts'
import { createSharedRenderings, type SharedReading, type StartedRendering } from './shared-stream.ts'

/** What a finished page was. */
export interface RenderedPage {
  readonly format: ExpositionFormat
  readonly series: number
  readonly bytes: number
  /** How long the event loop was kept from other work for it, all slices together. */
  readonly seconds: number
}

export interface ScraperOptions {
  /** Told once of each meter that is not written because another has its exported name or series. */
  readonly onConflict?: ReportConflict
  /** Told of each page that was rendered to its end. */
  readonly onRendered?: (page: RenderedPage) => void
  /** @default systemClock */
  readonly clock?: Clock
}

export interface Scraper {
  /**
   * All series, or those of the families that have an exported name of `names`, as UTF-8 in chunks of about 64 KB.
   * Nothing is read before the first chunk is asked for. Scrapes of one format and the same names that overlap share one
   * rendering.
   */
  scrape(format: ExpositionFormat, names?: ReadonlySet<string>): SharedReading
}

/** What is rendered, and written to a socket, in one go. */
const chunkBytes = 65_536
/** How long the event loop is held at a time; a piece of work that is begun is finished, which is a few series more. */
const budgetMilliseconds = 1

/** Renders pages in slices of a millisecond, one slice a turn of the event loop however many pages are being made. */
export function createScraper(source: SnapshotSource, options: ScraperOptions = {}): Scraper {
  const { onConflict, onRendered, clock = systemClock } = options
  const renderings = createSharedRenderings(clock)
  const nextTurn = createTurns()
  const report = onConflict && reportOnce(onConflict)

  function start(format: ExpositionFormat, names: ReadonlySet<string> | undefined): StartedRendering {
    const out = createByteChunks(chunkBytes)
    return { chunks: render(format, names, out), reuse: (chunk) => out.reuse(chunk) }
  }

  async function* render(
    format: ExpositionFormat,
    names: ReadonlySet<string> | undefined,
    out: ByteChunks,
  ): AsyncGenerator<Uint8Array> {
    await source.refresh?.()
    const work = writeExposition(source, format, out, { names, onConflict: report })
    let series: number | undefined
    let bytes = 0
    let milliseconds = 0
    try {
      while (series === undefined) {
        await nextTurn()
        const begun = clock.monotonicTime()
        do series = finished(work.next())
        while (series === undefined && out.full === 0 && clock.monotonicTime() - begun < budgetMilliseconds)
        const chunks = out.take(series !== undefined)
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
      return renderings.read(`${format.mediaType} ${selection}`, () => start(format, names))
    },
  }
}

function finished<T>(step: IteratorResult<undefined, T>): T | undefined {
  return step.done ? step.value : undefined
}

/** A queue of all who want a turn of the event loop: each turn is one's only. */
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
