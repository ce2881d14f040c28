import { acceptOf } from '../../http/conventions/negotiate.ts'
import type { Offer, Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { ExpositionFormat } from '../../prometheus/exposition/exposition-format.ts'
import { openMetricsText, openMetricsTextWithCreated } from '../../prometheus/exposition/openmetrics-text.ts'
import { prometheusText } from '../../prometheus/exposition/prometheus-text.ts'
import type { Scraper } from '../../prometheus/scraper.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * How Prometheus 3 wants names written that hold more than letters, digits and underscores. No exported name does, so each
 * scheme leaves a page as it is.
 */
const escapingSchemes = ['allow-utf-8', 'underscores', 'dots', 'values']

/** Prometheus' text format of version 1.0.0 differs from 0.0.4 in names that no page here has. */
const newerText = 'text/plain; version=1.0.0; charset=utf-8'

export interface PrometheusOptions {
  /** Whether OpenMetrics has a `_created` sample for each counter, timer and summary. @default false */
  readonly createdTimestamps?: boolean | undefined
}

/**
 * `prometheus`: the scrape, as Prometheus text or OpenMetrics, whichever the client prefers; `name[]` or `includedNames`
 * narrow it to families by their exported names.
 */
export function prometheusEndpoint(scraper: Scraper, { createdTimestamps = false }: PrometheusOptions = {}): Endpoint {
  const openMetrics = createdTimestamps ? openMetricsTextWithCreated : openMetricsText

  const get = ({ request, query }: Call): Representation => {
    const names = includedNames(query)
    const offer = (format: ExpositionFormat, mediaType: string): Offer => ({
      mediaType,
      render: () => scraper.scrape(format, names),
    })
    const accept = acceptOf(request.headers, query)
    const escapings = escapingSchemes.filter((scheme) => accept?.includes(`escaping=${scheme}`))
    return {
      offers: [
        offer(prometheusText, prometheusText.mediaType),
        offer(openMetrics, openMetrics.mediaType),
        offer(prometheusText, newerText),
        ...escapings.flatMap((scheme) => [
          offer(openMetrics, `${openMetrics.mediaType}; escaping=${scheme}`),
          offer(prometheusText, `${newerText}; escaping=${scheme}`),
        ]),
      ],
      caching: 'no-store',
    }
  }
  return { id: 'prometheus', routes: [{ path: 'prometheus', link: 'prometheus', resource: { get } }] }
}

function includedNames(query: URLSearchParams): ReadonlySet<string> | undefined {
  const names = [...query.getAll('name[]'), ...query.getAll('includedNames').flatMap((list) => list.split(','))]
  return names.length === 0 ? undefined : new Set(names)
}
