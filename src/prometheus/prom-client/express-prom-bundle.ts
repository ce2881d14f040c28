import { requireKnownOptions } from '../../base/known-options.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import { bucketPresets } from '../../metrics/bucket-presets.ts'
import type { MeterFilter } from '../../metrics/meter-filter.ts'
import type { Tag } from '../../metrics/snapshot.ts'

/** Options of `expressPromBundle`, with the names and defaults of express-prom-bundle. */
export interface ExpressPromBundleOptions {
  /** Whether there is the label `status_code`. @default true */
  readonly includeStatusCode?: boolean | undefined
  /** Whether there is the label `method`. @default false */
  readonly includeMethod?: boolean | undefined
  /** Whether there is the label `path`, with the template of the route. @default false */
  readonly includePath?: boolean | undefined
  /** The upper bounds of the buckets, in seconds. @default [0.003, 0.03, 0.1, 0.3, 1.5, 10] */
  readonly buckets?: readonly number[] | undefined
}

/**
 * Returns a filter that exports `http.server.requests` as `http_request_duration_seconds`, with the labels and buckets
 * of express-prom-bundle 8, for its dashboards and alerts. Requires the default `conventions`.
 *
 * @throws TypeError if an option does not exist, such as one of the other options of express-prom-bundle.
 */
export function expressPromBundle(options: ExpressPromBundleOptions = {}): MeterFilter {
  requireKnownOptions('expressPromBundle', options, optionNames, { foreignNames })
  const {
    includeStatusCode = true,
    includeMethod = false,
    includePath = false,
    buckets = bucketPresets.expressPromBundle,
  } = options
  const labels = new Map<string, string | undefined>([
    ['status', includeStatusCode ? 'status_code' : undefined],
    ['method', includeMethod ? 'method' : undefined],
    ['uri', includePath ? 'path' : undefined],
    ['outcome', undefined],
    ['exception', undefined],
    ['error', undefined],
  ])

  function relabel(tag: Tag): readonly Tag[] {
    if (!labels.has(tag.key)) return [tag]
    const key = labels.get(tag.key)
    return key === undefined ? [] : [{ key, value: tag.value }]
  }

  return {
    map: (meter) =>
      meter.name === 'http.server.requests' ? { ...meter, name: exported, tags: meter.tags.flatMap(relabel) } : meter,
    configure: (meter, distribution) =>
      meter.name === exported ? { ...distribution, slo: buckets, exponential: false } : distribution,
  }
}

const optionNames = ['includeStatusCode', 'includeMethod', 'includePath', 'buckets'] as const

/** Where the other options of express-prom-bundle are. */
const foreignNames: ForeignNames = {
  metricsPath: 'write paths: { prometheus: "/metrics" } in the options of createManagement',
  customLabels: 'write metrics: { commonTags } in the options of createManagement',
  promRegistry: 'write metrics: { sources: [prometheusRegistry(registry)] } in the options of createManagement',
  promClient: 'write metrics: { sources: [prometheusRegistry(registry)] } in the options of createManagement',
  metricsApp: 'to listen on a port of its own, call listen(management, { port }) of upkeep/node',
  percentiles: 'add the filter histogram("http.request.duration", { slo: [], percentiles })',
}

/** Timers are exported with `_seconds`. */
const exported = 'http.request.duration'
