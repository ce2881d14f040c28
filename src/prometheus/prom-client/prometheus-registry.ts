import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import { contain, type Report, reportToConsole } from '../../base/report.ts'
import type { MeterId, MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import { type ClientMetric, type ClientRegistry, readMetric } from './read-metric.ts'

/** Options of `prometheusRegistry`. */
export interface PrometheusRegistryOptions {
  /** The timeout of its collectors; after it, the previous values are used. @default '5s' */
  readonly timeout?: Duration | undefined
  /** Called once for each kind of failure to read it. @default console.error */
  readonly report?: Report | undefined
}

/**
 * Returns the metrics of a registry of prom-client or @prometheus-io/client, under their own names, as a source of
 * meters: `createManagement({ metrics: { sources: [prometheusRegistry(register)] } })`. All of them are read at each
 * scrape and each request of a metric.
 */
export function prometheusRegistry(registry: ClientRegistry, options: PrometheusRegistryOptions = {}): SnapshotSource {
  requireKnownOptions('prometheusRegistry', options, ['timeout', 'report'], { foreignNames: { onError: 'report' } })
  const { timeout = '5s', report = reportToConsole } = options
  const limit = durationMilliseconds(timeout, 'timeout')
  let ids = new Map<string, MeterId>()
  let byName = new Map<string, readonly MeterSnapshot[]>()
  let reading: Promise<void> | undefined
  let isLate = false
  const reported = new Set<string>()

  const reportOnce = (message: string, cause?: unknown) => {
    if (reported.has(message)) return
    reported.add(message)
    contain(report)(message, cause)
  }

  const read = async () => {
    const metrics = (await registry.getMetricsAsJSON()).filter(isMetric)
    const kept = new Map<string, MeterId>()
    const idOf = (metric: ClientMetric, labels: Readonly<Record<string, unknown>>) => {
      const tags = tagsOf(labels)
      const key = JSON.stringify([metric.name, metric.type, tags])
      const id = kept.get(key) ?? ids.get(key) ?? createId(metric, tags)
      kept.set(key, id)
      return id
    }
    const series = metrics.map((metric) => [metric.name, readMetric(metric, idOf)] as const)
    byName = new Map(series.filter(([, { length }]) => length > 0).sort(([one], [other]) => (one < other ? -1 : 1)))
    ids = kept
  }

  /** Never rejects. After a timeout the read continues; until it ends, no other one is started or awaited. */
  const refresh = async () => {
    reading ??= read()
      .catch((error: unknown) => {
        byName = new Map()
        reportOnce('prometheusRegistry: failed to read the registry; its metrics are omitted', error)
      })
      .finally(() => {
        reading = undefined
        isLate = false
      })
    if (isLate) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, limit, 'late')
    })
    const end = await Promise.race([reading, late])
    clearTimeout(timer)
    isLate = end === 'late'
    if (isLate) reportOnce(`prometheusRegistry: no result within ${timeout}; the previous values are used`)
  }

  function* slices(size = 64): Generator<readonly MeterSnapshot[]> {
    for (const series of byName.values()) {
      for (let from = 0; from < series.length; from += size) yield series.slice(from, from + size)
    }
  }

  return {
    names: () => [...byName.keys()],
    snapshot: function* (name) {
      if (name !== undefined) yield* byName.get(name) ?? []
      else for (const series of byName.values()) yield* series
    },
    slices,
    refresh,
  }
}

function isMetric(value: unknown): value is ClientMetric {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

function tagsOf(labels: Readonly<Record<string, unknown>>): MeterId['tags'] {
  const tags = Object.entries(labels).map(([key, value]) => ({ key, value: String(value) }))
  return tags.sort((one, other) => (one.key < other.key ? -1 : 1))
}

function createId({ name, help }: ClientMetric, tags: MeterId['tags']): MeterId {
  const description = help === '' ? undefined : help
  return { name, tags, description, baseUnit: undefined, verbatim: true }
}
