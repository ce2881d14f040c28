import type { Clock } from '../clock.ts'
import { type Component, createComponents, findComponent } from '../health/component.ts'
import { type Membership, selectMembers } from '../health/group.ts'
import type { Indicators } from '../health/indicator.ts'
import { reportComponent, reportWhole } from '../health/report.ts'
import { createScope, type Scope, type ScopeOptions } from '../health/scope.ts'
import type { View } from '../health/visibility.ts'
import type { Representation } from '../http/representation.ts'
import type { Call } from '../http/resource.ts'
import { after, type Soon } from '../soon.ts'
import type { Endpoint } from './endpoint.ts'
import { createHttpStatus, type HttpMapping } from './http-status.ts'
import { createShowHealth, keepShown, type ShowHealth } from './shown-health.ts'

/** How health is judged, to whom it is shown, and how HTTP says it. */
export interface HealthViewOptions extends ScopeOptions {
  /** The HTTP status of each health status; replaces the default. @default { DOWN: 503, OUT_OF_SERVICE: 503 } */
  readonly httpMapping?: HttpMapping | undefined
}

/** A group: its members, and what it does otherwise than health as a whole. */
export interface HealthGroupOptions extends Membership, HealthViewOptions {}

export interface HealthOptions extends HealthViewOptions {
  readonly indicators?: Indicators | undefined
  /** Groups by name. `liveness` and `readiness` are there unless they are defined anew. */
  readonly groups?: Readonly<Record<string, HealthGroupOptions>> | undefined
}

/** What can be asked as one: a scope of components, and how its reports are shown. */
interface Subject {
  readonly scope: Scope
  readonly show: ShowHealth
  readonly showPart: ShowHealth
}

const probes: Readonly<Record<string, HealthGroupOptions>> = {
  liveness: { include: ['livenessState'], showDetails: 'never', showComponents: 'never' },
  readiness: { include: ['readinessState'], showDetails: 'never', showComponents: 'never' },
}

/**
 * `health`, `health/{component…}`, and `health/{group}` with the probes `liveness` and `readiness`.
 *
 * @throws RangeError, TypeError naming the indicator, group or member that is none.
 */
export function healthEndpoint({ indicators = {}, groups = {}, ...view }: HealthOptions, clock: Clock): Endpoint {
  const components = createComponents(indicators, clock)
  const all = { ...probes, ...groups }
  const whole = createSubject(components, view, { groups: Object.keys(all).sort() })
  const subjects = new Map(
    Object.entries(all).map(([name, group]) => {
      const members = selectMembers(name, components, group)
      const inherited = Object.hasOwn(groups, name) ? { ...view, ...defined(group) } : group
      return [name, createSubject(members, inherited)] as const
    }),
  )

  const getWhole = (call: Call) => getReport(whole, call)

  function getPart(call: Call): Soon<Representation | undefined> {
    const [first = '', ...rest] = call.variables
    const group = subjects.get(first)
    if (group === undefined) return getComponent(whole, call.variables, call)
    return rest.length > 0 ? getComponent(group, rest, call) : getReport(group, call)
  }

  return {
    id: 'health',
    routes: [
      { path: 'health', link: 'health', resource: { get: getWhole } },
      { path: 'health/{*path}', link: 'health-path', resource: { get: getPart } },
    ],
  }
}

function createSubject(
  components: ReadonlyMap<string, Component>,
  { httpMapping, ...view }: HealthViewOptions,
  extra = {},
): Subject {
  const httpStatus = createHttpStatus(httpMapping)
  const show = keepShown(createShowHealth(httpStatus, extra))
  return { scope: createScope(components, view), show, showPart: createShowHealth(httpStatus) }
}

function getReport(subject: Subject, call: Call): Soon<Representation> {
  const { components, order } = subject.scope
  return after(reportWhole(components, order), (report) =>
    after(viewOf(subject, call), (view) => subject.show(report, view)),
  )
}

function getComponent(subject: Subject, path: readonly string[], call: Call): Soon<Representation | undefined> {
  const { components, order } = subject.scope
  const component = findComponent(components, path)
  return after(viewOf(subject, call), (view) => {
    if (component === undefined || !view.components) return undefined
    return after(reportComponent(component, order), (report) => subject.showPart(report, view))
  })
}

/** What the caller may see. A probe, which sees the same whoever asks, does not wait for who that is. */
function viewOf({ scope }: Subject, call: Call): Soon<View> {
  if (!scope.isViewPersonal) return scope.view(false)
  return after(call.identify(), (principal) => scope.view(principal !== undefined))
}

/** Options that are given, so that those that are not are inherited. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
