import { type Answer, want, wantStatus } from '../../answer.ts'
import { distributionFaults } from '../../exposition/distributions.ts'
import { type FaultKind, type Page, readPage } from '../../exposition/page.ts'
import type { Dialect } from '../../exposition/sample.ts'
import type { Service } from '../../service.ts'

const accepts: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  text: {},
  openmetrics: { Accept: 'application/openmetrics-text; version=1.0.0' },
}

/** The Accept field of Prometheus, in its order of preference. */
export const prometheusAccepts: string =
  'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,' +
  'text/plain;version=0.0.4;q=0.3,*/*;q=0.2'

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

/** Asserts that a page has no faults of these kinds. */
export function wantNoFault(answer: Answer, { faults }: Page, ...kinds: readonly FaultKind[]): void {
  const [first] = faults.filter(({ kind }) => kinds.includes(kind))
  want(answer, first === undefined, 'a page without faults', first?.says)
}

export function wantSoundDistributions(answer: Answer, { families }: Page): void {
  for (const family of families.values()) {
    const [first] = distributionFaults(family)
    want(answer, first === undefined, `a valid ${family.type} ${family.name}`, first)
  }
}
