import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import { type Aggregator, createAggregator } from '../health/aggregator.ts'
import type { HealthListener } from '../health/changes.ts'
import { findComponent } from '../health/component.ts'
import type { HealthReport } from '../health/report.ts'
import { createChangeReporter } from '../health/report-changes.ts'
import { defaultOrder } from '../health/status.ts'
import type { AvailabilityStates } from '../lifecycle/availability.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { HealthOptions } from './endpoints/health.ts'

/** How the application is, for its own use: what probes are told, with all details, and without HTTP. */
export interface ManagementHealth {
  /** Asks how everything is, as a probe does: from the cache where that is fresh. Never rejects. */
  check(): Promise<HealthReport>
  /** Asks how a group or a component is, such as `readiness` or `db/primary`; `undefined` when there is none. */
  check(path: string): Promise<HealthReport | undefined>
  /**
   * Tells of each change of a component, of a group and of the whole until the function that it answers is called. What
   * was not asked yet is `UNKNOWN`; a check is known when it is asked, by a probe or in the background.
   */
  onChange(listener: HealthListener): () => void
}

interface HealthSurroundings {
  readonly states: AvailabilityStates
  readonly meters: MeterRegistry
  readonly clock: Clock
  readonly report: Report
}

/**
 * Makes the health of an application out of its indicators and its availability, each check measured by `health.check`.
 */
export function createManagedHealth(
  options: HealthOptions,
  { states: { availability, livenessState, readinessState }, meters, clock, report }: HealthSurroundings,
): { readonly aggregator: Aggregator; readonly health: ManagementHealth } {
  const checks = meters.timers('health.check', ['component', 'status'], {
    description: 'How long checks of health took',
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
  const aggregator: Aggregator = createAggregator(
    { ...options, indicators: { ...options.indicators, livenessState, readinessState } },
    {
      clock,
      report,
      onCheck: ({ component, status, seconds }) => checks.with(component, status).record(seconds),
      onChange: reportChange,
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

/** The deadlines of checks keep no process alive; a script that waits for its health has to be kept until it has it. */
async function keepAliveDuring<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 2 ** 30)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
