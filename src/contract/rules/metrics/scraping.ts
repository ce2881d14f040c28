import { type Answer, wantStatus } from '../../answer.ts'
import { type Page, readPage } from '../../exposition/page.ts'
import type { Dialect } from '../../exposition/sample.ts'
import type { Service } from '../../service.ts'

const accepts: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  text: {},
  openmetrics: { Accept: 'application/openmetrics-text; version=1.0.0' },
}

/** Requests and parses a page of either format. */
export async function scrape(
  service: Service,
  dialect: Dialect,
  query = '',
): Promise<{ readonly answer: Answer; readonly page: Page }> {
  const answer = await service.ask(`/prometheus${query}`, { headers: accepts[dialect] })
  wantStatus(answer, 200)
  return { answer, page: readPage(answer.text, dialect) }
}
