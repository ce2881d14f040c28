import { onlyFirst } from '../base/callback.ts'
import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import { registryFilters } from '../instrumentation/conventions/conventions.ts'
import type { ConventionName } from '../metrics/convention-name.ts'
import type { Exemplars } from '../metrics/exemplar.ts'
import { commonTags } from '../metrics/filters.ts'
import { joinSources } from '../metrics/joined-source.ts'
import { leaveOut } from '../metrics/leave-out.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { createRegistryWith } from '../metrics/registry.ts'
import { createSafeSource } from '../metrics/safe-source.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import { exportedName, onlySampleName } from '../prometheus/naming.ts'
import { createScraper, type Scraper, type ScraperOptions } from '../prometheus/scraper.ts'
import { bindRuntimeMeters } from '../runtime/runtime-meters.ts'
import type { MetricsOptions } from './options.ts'

/** The maximum number of meters that are reported because a scrape omits them. */
const maxReported = 1_000

/** The meters of an application, and their exposition. */
export interface ManagedMetrics {
  readonly meters: MeterRegistry
  /** The meters of the application and of the additional sources. */
  readonly source: SnapshotSource
  /** Creates the exposition of a source. */
  readonly createScraper: (source: SnapshotSource) => Scraper
  readonly close: () => void
}

/** Creates the registry of an application, with meters for the process and for the scrapes themselves. */
export function createManagedMetrics(
  { commonTags: shared, filters = [], runtime = true, sources = [], ...options }: MetricsOptions,
  exemplars: Exemplars | undefined,
  clock: Clock,
  report: Report,
  conventions: ConventionName,
): ManagedMetrics {
  const meters = createRegistryWith(exemplars, {
    ...options,
    clock,
    filters: [...registryFilters[conventions], ...(shared === undefined ? [] : [commonTags(shared)]), ...filters],
    diagnose: ({ message, ...rest }) => report(message, 'error' in rest ? rest.error : undefined),
  })
  const stop =
    runtime === false
      ? () => {}
      : bindRuntimeMeters(meters, runtime === true ? {} : runtime, clock, report, conventions)

  const durations = meters.timers('upkeep.scrape.duration', ['format'], {
    description: 'How long the event loop was kept busy by a scrape',
  })
  const sizes = meters.summaries('upkeep.scrape.size', ['format'], {
    description: 'How long a page of a scrape was',
    baseUnit: 'bytes',
  })
  let series = Number.NaN
  meters.gauge('upkeep.scrape.series', {}, () => series, { description: 'How many series the latest scrape had' })

  const safeSources = sources.map((each, at) =>
    createSafeSource(each, (error) => report(`metrics.sources[${at}] failed; its meters are omitted`, error)),
  )
  const source = sources.length === 0 ? meters : beside(meters, safeSources, report)
  const measuringFailed = onlyFirst((error) => report('measuring a scrape failed', error))
  const reportConflict = reportOnce(report)
  const scraperOptions: ScraperOptions = {
    clock,
    onConflict: ({ scope, exported, kept, dropped }) => {
      const what = scope === 'series' ? 'a series of the meter' : 'the meter'
      reportConflict(`the scrape omits ${what} '${dropped.name}': '${kept.name}' is already exported as ${exported}`)
    },
    onRendered: (page) => {
      series = page.series
      try {
        const format = page.format.mediaType.split(';')[0] ?? ''
        durations.with(format).record(page.seconds)
        sizes.with(format).record(page.bytes)
      } catch (error) {
        // The page is finished, and is sent in any case.
        measuringFailed(error)
      }
    },
  }
  const close = () => {
    stop()
    meters.close()
  }
  return { meters, source, createScraper: (each) => createScraper(each, scraperOptions), close }
}

/**
 * Joins additional sources with the meters, which are those of the runtime only when this is called. Of these it omits
 * meters that a source exports under the same name, such as `process_start_time_seconds` of prom-client's default
 * metrics.
 */
function beside(meters: MeterRegistry, sources: readonly SnapshotSource[], report: Report): SnapshotSource {
  const ofRuntime = exportedNames(meters)
  const replaced = () => {
    const names = sources.flatMap((source) => source.names().map((name) => ofRuntime.get(name)))
    return new Set(names.filter((name) => name !== undefined))
  }
  return joinSources([leaveOut(meters, replaced), ...sources], (name) => {
    report(`several sources have the meter '${name}': that of the application, or else of the first source, is used`)
  })
}

/** Reports each message once: the meters of a cluster are not the same objects at each read. */
function reportOnce(report: Report): (message: string) => void {
  const reported = new Set<string>()
  return (message) => {
    if (reported.has(message) || reported.size >= maxReported) return
    reported.add(message)
    report(message)
  }
}

/** Returns the names of meters by the names under which they are exported. */
function exportedNames(meters: SnapshotSource): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { kind, id } of meters.snapshot()) {
    const exported = exportedName(kind, id)
    names.set(onlySampleName(exported) || exported.name, id.name)
  }
  return names
}
