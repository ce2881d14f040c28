import type { ExpositionFormat } from '../formats/exposition-format.ts'
import { openMetricsText } from '../formats/openmetrics-text.ts'
import { prometheusText } from '../formats/prometheus-text.ts'
import type { Scraper } from '../formats/scraper.ts'
import type { Offer, Representation } from '../http/representation.ts'
import type { Call } from '../http/resource.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * What Prometheus 3 asks for by a parameter of the media type: how names are written that are not of the old kind. Every
 * name here is, and these leave such a one as it is.
 */
const escapings = ['escaping=allow-utf-8', 'escaping=underscores', 'escaping=values']

/**
 * `prometheus`: the scrape, as Prometheus text or OpenMetrics, whichever the client prefers; `name[]` or `includedNames`
 * narrow it to families by their exported names.
 */
export function prometheusEndpoint(scraper: Scraper): Endpoint {
  const get = ({ query }: Call): Representation => {
    const names = includedNames(query)
    const offer = (format: ExpositionFormat, mediaType = format.mediaType): Offer => ({
      mediaType,
      render: () => scraper.scrape(format, names),
    })
    const escaped = escapings.map((escaping) => offer(openMetricsText, `${openMetricsText.mediaType}; ${escaping}`))
    return { offers: [offer(prometheusText), offer(openMetricsText), ...escaped], caching: 'no-store' }
  }
  return { id: 'prometheus', routes: [{ path: 'prometheus', link: 'prometheus', resource: { get } }] }
}

function includedNames(query: URLSearchParams): ReadonlySet<string> | undefined {
  const names = [...query.getAll('name[]'), ...query.getAll('includedNames').flatMap((list) => list.split(','))]
  return names.length === 0 ? undefined : new Set(names)
}
