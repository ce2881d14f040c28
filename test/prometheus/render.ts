import type { MeterSnapshot, SnapshotSource } from 'upkeep/metrics'
import { type ExpositionFormat, writeExposition } from '../../src/prometheus/exposition/exposition.ts'
import type { NameConflict } from '../../src/prometheus/exposition/name-conflict.ts'
import { createScraper, type ScraperOptions } from '../../src/prometheus/scraper.ts'
import { readText } from '../support/read-text.ts'
import { sourceOf } from './snapshots.ts'

/** A whole page as text. */
export async function render(
  source: SnapshotSource,
  format: ExpositionFormat,
  { names, ...options }: ScraperOptions & { readonly names?: ReadonlySet<string> } = {},
): Promise<string> {
  return readText(createScraper(source, options).scrape(format, names))
}

/** A whole page of these series, at once, and the meters that are omitted. */
export function renderAtOnce(series: readonly MeterSnapshot[], format: ExpositionFormat) {
  const conflicts: NameConflict[] = []
  const page = format.createPage()
  if (page instanceof Promise) throw new TypeError('expected a page that is loaded')
  const work = writeExposition(sourceOf(series), format, page, { onConflict: (each) => conflicts.push(each) })
  while (!work.next().done);
  return { bytes: Buffer.concat(page.take(true)), conflicts }
}
