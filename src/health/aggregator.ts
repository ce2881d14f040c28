import type { Clock } from '../base/clock.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import { contain, type Report } from '../base/report.ts'
import { type Changes, createChanges, type HealthListener } from './changes.ts'
import { createCheckup, type ObservedCheck } from './checks/checkup.ts'
import { createComponents, findComponent } from './component.ts'
import { type Membership, selectMembers } from './group.ts'
import type { Indicators } from './indicator.ts'
import type { HealthReport, Reporter } from './report.ts'
import { createScope, type Scope, type ScopeOptions } from './scope.ts'

/** How checks are run. */
export interface CheckingOptions {
  readonly indicators?: Indicators | undefined
  /**
   * How many checks run at once. One that waits for its turn does so within its own deadline; one that runs counts for a
   * fifth of its deadline at most, so that a check that hangs does not hold up the others. @default Infinity
   */
  readonly concurrency?: number | undefined
  /** How long a check may take before it is reported as slow: once, and again after it was fast. @default '1s' */
  readonly slowCheck?: Duration | undefined
}

export interface AggregatorOptions extends CheckingOptions, ScopeOptions {
  /** Groups by name. `liveness` and `readiness` are there unless they are defined anew. */
  readonly groups?: Readonly<Record<string, Membership & ScopeOptions>> | undefined
}

export interface AggregatorSurroundings {
  readonly clock: Clock
  readonly report: Report
  /** Is told of each check that ran. */
  readonly onCheck?: ((check: ObservedCheck) => void) | undefined
  /** Is called with each change from the start on. */
  readonly onChange?: HealthListener | undefined
}

/** Something that can be asked: a whole, or one component of it. */
export interface Subject {
  /** The group that it is, or that it belongs to. */
  readonly group: string | undefined
  readonly scope: Scope
  /** Whether it is a component, and not a group. */
  readonly isComponent: boolean
  readonly report: Reporter
}

/** All components of an application, as a whole and in groups. */
export interface Aggregator {
  readonly whole: Scope
  /** By name, in the order of names. */
  readonly groups: ReadonlyMap<string, Scope>
  /** What is at a path of one name or more: a group, one of its components, or a component. */
  readonly find: (path: readonly string[]) => Subject | undefined
  /** Asks how everything is, or what is at a path; `undefined` where there is nothing. At once where all of it is known. */
  readonly check: (path?: string) => MaybePromise<HealthReport | undefined>
  readonly onChange: (listener: HealthListener) => () => void
  /** To be called when a state may have changed. */
  readonly look: () => void
  /** Ends what runs in the background and gives up the checks under way. */
  readonly close: () => void
}

const probes: Readonly<Record<string, Membership & ScopeOptions>> = {
  liveness: { include: ['livenessState'], showDetails: 'never', showComponents: 'never' },
  readiness: { include: ['readinessState'], showDetails: 'never', showComponents: 'never' },
}

/**
 * Creates the health of an application out of its indicators, among them `livenessState` and `readinessState`.
 *
 * @throws RangeError, TypeError naming the indicator, group or member that is none.
 */
export function createAggregator(
  { indicators = {}, concurrency, slowCheck = '1s', groups: definitions = {}, ...view }: AggregatorOptions,
  { clock, report, onCheck, onChange: listener }: AggregatorSurroundings,
): Aggregator {
  let changes: Changes | undefined
  const checkup = createCheckup({
    clock,
    report,
    concurrency,
    slowMilliseconds: durationMilliseconds(slowCheck, 'slowCheck'),
    onCheck,
    changed: () => changes?.look(),
  })
  const components = createComponents(indicators, checkup)
  const whole = createScope(components, view)
  const groups = new Map(
    Object.entries({ ...probes, ...definitions })
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, group]): [string, Scope] => {
        const inherited = Object.hasOwn(definitions, name) ? { ...view, ...defined(group) } : group
        return [name, createScope(selectMembers(name, components, group), inherited)]
      }),
  )
  const tell = contain(report)
  const { onChange, look } = createChanges(whole, groups, { clock, report: tell, listener })
  changes = { onChange, look }

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
      const report = path === undefined ? whole.report : find(path.split('/'))?.report
      return report && thenNow(report(clock.monotonicTime()), (known) => structuredClone(known))
    },
    onChange,
    look,
    close() {
      const reason = new DOMException('health is asked no more', 'AbortError')
      for (const end of [...checkup.endings]) {
        try {
          end(reason)
        } catch (error) {
          tell('a health check could not be closed', error)
        }
      }
    },
  }
}

function findIn(group: string | undefined, scope: Scope, path: readonly string[]): Subject | undefined {
  const component = findComponent(scope.components, path)
  return component && { group, scope, isComponent: true, report: scope.reportOf(component) }
}

/** Options that are given, so that those that are not are inherited. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
