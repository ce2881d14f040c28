import type { Clock } from '../base/clock.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import { contain, type Report } from '../base/report.ts'
import { type Changes, createChanges, type HealthListener } from './changes.ts'
import { type CheckRunner, type CheckTime, type CompletedCheck, createCheckRunner } from './checks/check-runner.ts'
import {
  type ClusterHealthSource,
  clusterName,
  createClusterComponent,
  readinessWithCluster,
} from './cluster-component.ts'
import { type Component, createComponents, findComponent, runChecks } from './component.ts'
import { createDiscoveredComponents } from './discovery/discovered-components.ts'
import type { ClientDiscovery } from './discovery/discovery.ts'
import { type HealthGroupMembers, selectMembers } from './group.ts'
import type { ComponentReporter, HealthReport } from './health-report.ts'
import type { Indicators } from './indicator.ts'
import { createScope, type HealthScopeOptions, type Scope } from './scope.ts'

/** How checks are run. */
export interface HealthCheckOptions {
  /** Indicators by name of their component. @default {} */
  readonly indicators?: Indicators | undefined
  /**
   * How many checks may run at once. The time in the queue counts towards a check's timeout. A check counts as running
   * for at most a fifth of its timeout, so that one that hangs does not block the others. @default Infinity
   */
  readonly concurrency?: number | undefined
  /** From which duration on a check is reported as slow: once, and again after it has been fast. @default '1s' */
  readonly slowCheck?: Duration | undefined
}

export interface AggregatorOptions extends HealthCheckOptions, HealthScopeOptions {
  /** Finds clients, each of whose kinds is a component unless there is an indicator of that name. @default none */
  readonly discovery?: ClientDiscovery | undefined
  /** Groups by name. `liveness` and `readiness` exist by default and can be redefined. */
  readonly groups?: Readonly<Record<string, HealthGroupMembers & HealthScopeOptions>> | undefined
}

interface AggregatorSurroundings {
  readonly clock: Clock
  readonly report: Report
  /** Called with each completed run of a check. */
  readonly onCheck?: ((check: CompletedCheck) => void) | undefined
  /** Called with each change, from the initial state `UNKNOWN` on. */
  readonly onChange?: HealthListener | undefined
  /** Read for the component `cluster`, unless there is an indicator of that name. @default no such component */
  readonly cluster?: ClusterHealthSource | undefined
}

/** The target of a health request: a group or a component. */
export interface Subject {
  /** The group itself, or the group through which the component was addressed. */
  readonly group: string | undefined
  readonly scope: Scope
  readonly isComponent: boolean
  /** `undefined` for a component that does not exist at present. */
  readonly report: ComponentReporter
}

/** The health of an application: all components, and groups of them. */
export interface Aggregator {
  readonly whole: Scope
  /** The groups by name, sorted. */
  readonly groups: ReadonlyMap<string, Scope>
  /** Returns the group, the component of a group, or the component at a path of one name or more. */
  readonly find: (path: readonly string[]) => Subject | undefined
  /**
   * Returns the health of the application or of a path, `undefined` if the path does not exist. Synchronous if it is
   * cached.
   */
  readonly check: (path?: string) => MaybePromise<HealthReport | undefined>
  /** Runs all checks, also those whose latest result is cached. Never rejects. */
  readonly runChecks: () => Promise<void>
  /** Returns when the check of the component at a path ran last; `undefined` if it has none, or has not run. */
  readonly latestRunOf: (path: string) => CheckTime | undefined
  /** Registers a listener and returns an unsubscribe function. */
  readonly onChange: (listener: HealthListener) => () => void
  /** Compares all statuses with those before, and notifies the listeners. Call it when a state may have changed. */
  readonly detectChanges: () => void
  /** Stops checks in the background and cancels active ones. */
  readonly close: () => void
}

const defaultGroups: Readonly<Record<string, HealthGroupMembers & HealthScopeOptions>> = {
  liveness: { include: ['livenessState'], showDetails: 'never', showComponents: 'never' },
  readiness: { include: ['readinessState'], showDetails: 'never', showComponents: 'never' },
}

/**
 * Creates the health of an application from its indicators, which include `livenessState` and `readinessState`.
 *
 * @throws RangeError, TypeError if an indicator, a group or a member of a group is invalid.
 */
export function createAggregator(
  { indicators = {}, concurrency, slowCheck = '1s', groups: definitions = {}, discovery, ...view }: AggregatorOptions,
  { clock, report: unsafeReport, onCheck, onChange: listener, cluster: clusterHealth }: AggregatorSurroundings,
): Aggregator {
  const report = contain(unsafeReport)
  let changes: Changes | undefined
  const runner = createCheckRunner({
    clock,
    report,
    concurrency,
    slowMilliseconds: durationMilliseconds(slowCheck, 'createManagement: health.slowCheck'),
    onCheck,
    onStatusChange: () => changes?.detect(),
  })
  const cluster =
    clusterHealth === undefined || Object.hasOwn(indicators, clusterName)
      ? undefined
      : { source: clusterHealth, component: createClusterComponent(clusterHealth, runner.onStatusChange) }
  const discovered = [...discoveredComponentsOf(discovery, runner)].filter(([name]) => !Object.hasOwn(indicators, name))
  const components = sortedByName([
    ...createComponents(indicators, runner),
    ...(cluster === undefined ? [] : [[clusterName, cluster.component] as const]),
    ...discovered,
  ])
  const found = new Set<string>(discovered.map(([name]) => name))
  const own = new Map([...components].filter(([name]) => !found.has(name)))
  const whole = createScope(components, view)
  const groups = new Map(
    Object.entries({ ...defaultGroups, ...definitions })
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, group]): [string, Scope] => {
        const inherited = Object.hasOwn(definitions, name) ? { ...view, ...defined(group) } : group
        // Liveness must not depend on another system, also where it includes all components.
        const eligible = name === 'liveness' ? own : components
        const members = selectMembers(name, eligible, group)
        const isOfCluster = name === 'readiness' && group.exclude?.includes(clusterName) !== true
        const all =
          cluster !== undefined && isOfCluster
            ? sortedByName(readinessWithCluster(members, cluster.component, cluster.source))
            : members
        return [name, createScope(all, inherited)]
      }),
  )
  const { onChange, detect } = createChanges(whole, groups, { clock, report, listener })
  changes = { onChange, detect }

  function find([first = '', ...rest]: readonly string[]): Subject | undefined {
    const scope = groups.get(first)
    if (scope === undefined) return findIn(undefined, whole, [first, ...rest])
    return rest.length > 0
      ? findIn(first, scope, rest)
      : { group: first, scope, isComponent: false, report: scope.report }
  }

  return {
    whole,
    groups,
    find,
    check(path) {
      const reporter = path === undefined ? whole.report : find(path.split('/'))?.report
      return reporter && thenNow(reporter(clock.monotonicTime()), (health) => structuredClone(health))
    },
    runChecks: () => runChecks(components, clock.monotonicTime()),
    latestRunOf: (path) => runner.latestRuns.get(path),
    onChange,
    detectChanges: detect,
    close() {
      const reason = new DOMException('the management is closed', 'AbortError')
      for (const cancel of [...runner.cancellers]) {
        try {
          cancel(reason)
        } catch (error) {
          report('health: failed to close a check', error)
        }
      }
    },
  }
}

function discoveredComponentsOf(
  discovery: ClientDiscovery | undefined,
  runner: CheckRunner,
): Iterable<readonly [string, Component]> {
  return discovery === undefined ? [] : createDiscoveredComponents(discovery, runner)
}

function sortedByName(components: Iterable<readonly [string, Component]>): ReadonlyMap<string, Component> {
  return new Map([...components].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function findIn(group: string | undefined, scope: Scope, path: readonly string[]): Subject | undefined {
  const component = findComponent(scope.components, path)
  return component && { group, scope, isComponent: true, report: scope.reportOf(component) }
}

/** Returns the options without those that are `undefined`, which are inherited. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
