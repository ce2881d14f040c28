import type { SnapshotSource } from 'upkeep/metrics'
import type { ExpositionFormat } from '../../src/prometheus/exposition/exposition-format.ts'
import { createScraper, type ScraperOptions } from '../../src/prometheus/scraper.ts'
import { readText } from '../support/read-text.ts'

/** A whole page as text. */
export async function render(
  source: SnapshotSource,
  format: ExpositionFormat,
  { names, ...options }: ScraperOptions & { readonly names?: ReadonlySet<string> } = {},
): Promise<string> {
  return readText(createScraper(source, options).scrape(format, names))
}
