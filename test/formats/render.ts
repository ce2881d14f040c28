import type { SnapshotSource } from 'upkeep'
import type { ExpositionFormat } from '../../src/formats/exposition-format.ts'
import { createScraper, type ScraperOptions } from '../../src/formats/scraper.ts'

/** A whole page as text. */
export async function render(
  source: SnapshotSource,
  format: ExpositionFormat,
  { names, ...options }: ScraperOptions & { readonly names?: ReadonlySet<string> } = {},
): Promise<string> {
  return textOf(createScraper(source, options).scrape(format, names))
}

export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(all))
}
