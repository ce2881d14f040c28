import { thenNow } from '../../base/maybe-promise.ts'
import { acceptOf } from '../../http/conventions/negotiate.ts'
import type { Offer, Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { ExpositionFormat } from '../../prometheus/exposition/exposition.ts'
import { prometheusProtobuf } from '../../prometheus/exposition/protobuf/prometheus-protobuf.ts'
import { openMetricsText, openMetricsTextWithCreated, prometheusText } from '../../prometheus/exposition/text-format.ts'
import type { Scraper } from '../../prometheus/scraper.ts'
import { memberParameter } from '../cluster/member-parameter.ts'
import type { SelectSource } from '../cluster/shown-metrics.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { listSchema, stringSchema } from './json-representation.ts'

/**
 * The schemes by which Prometheus 3 wants names escaped that contain more than letters, digits and underscores. No
 * exported name does, so all of them result in the same page. The first is the default.
 */
const escapingSchemes = ['underscores', 'allow-utf-8', 'dots', 'values']

/** Version 1.0.0 of the text format differs from 0.0.4 only in names that no page here contains. */
const newerText = 'text/plain; version=1.0.0; charset=utf-8'

interface PrometheusOptions {
  /** Whether OpenMetrics contains a `_created` sample for each counter, timer and summary. @default false */
  readonly createdTimestamps?: boolean | undefined
}

/**
 * `prometheus`: the scrape as Prometheus text, OpenMetrics or protobuf, as the client prefers. `name[]` and
 * `includedNames` restrict it to metric families by their exported names, `member` to one member of a cluster.
 */
export function prometheusEndpoint(
  select: SelectSource,
  { createdTimestamps = false }: PrometheusOptions = {},
): Endpoint {
  const get = (call: Call) => thenNow(select(call.query), ({ scraper }) => represent(scraper, call))

  const represent = (scraper: Scraper, { request, query }: Call): Representation => {
    const names = includedNames(query)
    const openMetrics = createdTimestamps ? openMetricsTextWithCreated : openMetricsText
    /** The formats that name their escaping scheme, as Prometheus requires of all but the oldest. */
    const escaped = [
      [openMetrics, openMetrics.mediaType],
      [prometheusText, newerText],
      [prometheusProtobuf, prometheusProtobuf.mediaType],
    ] as const
    const offer = (format: ExpositionFormat, mediaType: string): Offer => ({
      mediaType,
      render: () => scraper.scrape(format, names),
    })
    const accept = acceptOf(request.headers, query)
    const escapings = escapingSchemes.filter((scheme, index) => index === 0 || accept?.includes(scheme))
    return {
      offers: [
        offer(prometheusText, prometheusText.mediaType),
        ...escapings.flatMap((scheme) =>
          escaped.map(([format, mediaType]) => offer(format, `${mediaType}; escaping=${scheme}`)),
        ),
      ],
      caching: 'no-store',
    }
  }
  return { id: 'prometheus', routes: [{ path: 'prometheus', resource: { access: 'public', get } }], describe }
}

function describe(): EndpointDescription {
  const summary = 'All meters, for Prometheus.'
  const mediaTypes = [
    'text/plain; version=0.0.4',
    'application/openmetrics-text; version=1.0.0',
    prometheusProtobuf.mediaType,
  ]
  const content = mediaTypes.map((mediaType) => ({ mediaType, schema: stringSchema }))
  const query = [
    {
      name: 'includedNames',
      description: 'Restricts to metric families by their exported names.',
      schema: listSchema(stringSchema),
    },
    memberParameter,
  ]
  return { prometheus: { GET: { summary, query, responses: [{ status: 200, description: summary, content }] } } }
}

function includedNames(query: URLSearchParams): ReadonlySet<string> | undefined {
  const names = [...query.getAll('name[]'), ...query.getAll('includedNames').flatMap((list) => list.split(','))]
  return names.length === 0 ? undefined : new Set(names)
}
