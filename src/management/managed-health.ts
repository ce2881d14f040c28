import type { Clock } from '../base/clock.ts'
import { lazy } from '../base/lazy.ts'
import type { Report } from '../base/report.ts'
import type { ClusterView } from '../cluster/cluster-host.ts'
import { type Aggregator, createAggregator } from '../health/aggregator.ts'
import type { HealthListener } from '../health/changes.ts'
import { findComponent } from '../health/component.ts'
import { discoverClients } from '../health/discovery/discovery.ts'
import type { HealthReport } from '../health/health-report.ts'
import { createChangeReporter } from '../health/report-changes.ts'
import { defaultOrder } from '../health/status.ts'
import type { AvailabilityStates } from '../lifecycle/availability.ts'
import type { TaggedMeters } from '../metrics/tag-index/tagged-meters.ts'
import type { Timer } from '../metrics/timer.ts'
import { createClusterHealth } from './cluster/cluster-health.ts'
import type { HealthOptions } from './endpoints/health.ts'
import type { Measurement } from './measurement.ts'

/** The health of the application, for its own use: as probes receive it, but with all details and without HTTP. */
export interface ManagementHealth {
  /** Returns the health of the application, from the cache while that is fresh, like a probe. Never rejects. */
  check(): Promise<HealthReport>
  /**
   * Returns the health of a group or a component, such as `readiness` or `db/primary`; `undefined` if it does not
   * exist.
   */
  check(path: string): Promise<HealthReport | undefined>
  /**
   * Calls the listener for each change of a component, of a group and of the whole. Returns an unsubscribe function. A
   * check is `UNKNOWN` until it has run for the first time, for a probe or in the background.
   */
  onChange(listener: HealthListener): () => void
}

interface HealthSurroundings {
  readonly states: AvailabilityStates
  readonly measurement: Pick<Measurement, 'onStart'>
  readonly clock: Clock
  readonly report: Report
  readonly cluster: { readonly view: ClusterView | undefined }
}

/**
 * Creates the health of an application from its indicators and its availability. Each check is timed by the meter
 * `health.check` once the management measures.
 */
export function createManagedHealth(
  options: HealthOptions,
  { states: { availability, livenessState, readinessState }, measurement, clock, report, cluster }: HealthSurroundings,
): { readonly aggregator: Aggregator; readonly health: ManagementHealth } {
  let checks: TaggedMeters<Timer, readonly ['component', 'status']> | undefined
  measurement.onStart((meters) => {
    const description = 'How long checks of health took'
    checks = meters.timers('health.check', ['component', 'status'], { description })
    return () => {
      checks = undefined
    }
  })
  const views = [options, ...Object.values(options.groups ?? {})]
  const reportChange = createChangeReporter({
    report,
    isLeaf: (path) => findComponent(aggregator.whole.components, path.split('/'))?.kind === 'leaf',
    statuses: [
      ...defaultOrder,
      ...views.flatMap(({ order = [], httpMapping = {} }) => [...order, ...Object.keys(httpMapping)]),
    ],
  })
  const healthOfCluster = lazy(() => createClusterHealth(cluster, availability))
  const { discover, ...rest } = options
  const discovery = discover === true ? discoverClients() : discover || undefined
  const aggregator: Aggregator = createAggregator(
    { ...rest, discovery, indicators: { ...options.indicators, livenessState, readinessState } },
    {
      clock,
      report,
      onCheck: ({ component, status, seconds }) => checks?.with(component, status).record(seconds),
      onChange: reportChange,
      cluster: {
        isJoined: () => cluster.view !== undefined,
        decidesReadiness: () => cluster.view?.health?.ready !== undefined,
        read: () => healthOfCluster()(),
      },
    },
  )
  availability.onChange(aggregator.detectChanges)

  async function check(): Promise<HealthReport>
  async function check(path: string): Promise<HealthReport | undefined>
  async function check(path?: string): Promise<HealthReport | undefined> {
    const checked = aggregator.check(path)
    return checked instanceof Promise ? keepAliveDuring(checked) : checked
  }
  return { aggregator, health: { check, onChange: aggregator.onChange } }
}

/** Keeps the process alive during a check, for scripts that wait for one: the timers of checks do not. */
async function keepAliveDuring<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 2 ** 30)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
